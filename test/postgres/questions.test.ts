// A program asks a person for permission through one node. The answer may come in at another, by a message or a reaction.
import { expect, it } from 'vitest';
import { type Listening, until } from '../server/up.ts';
import { signIn, type Tab } from '../surfaces/web/tab.ts';
import { hereOn, sharedSchema } from './host-nodes.ts';

const LONG = { timeout: 120_000 };
const FILE = 'agents:\n  - { id: lead }\nlimits: { composeMs: 50 }\n';
const REQUEST = { tool_name: 'Bash', input: { command: 'rm -rf build' } };

let calls = 0;
async function tool(at: Listening, token: string | undefined, name: string, args: object): Promise<string> {
  const params = { name, arguments: args };
  const { text } = await at.call('POST', '/c2a', token, {
    jsonrpc: '2.0',
    id: ++calls,
    method: 'tools/call',
    params,
  });
  return text;
}

async function tabAt(at: Listening, made: Listening): Promise<Tab> {
  const body = { kind: 'person', subject: 'ada', label: 'Ada' };
  const { body: token } = await made.call('POST', '/v1/tokens', made.tokens.operator, body);
  return (await signIn(at.url, token['token'] as string)).tab;
}

/** A turn that was asked for in the tab runs at `here`, and asks for permission there. */
async function asked(here: Listening, tab: Tab, token: string | undefined, text: string) {
  const { eventId: inReplyTo } = await tab.say('general', `@lead, ${text}`);
  await until(async () =>
    (await tool(here, token, 'chat.wait_events', { timeoutMs: 1_000 })).includes(inReplyTo),
  );
  const known = tab.told.length;
  const verdict = tool(here, token, 'chat.ask_permission', { ...REQUEST, inReplyTo });
  verdict.catch(() => undefined);
  const isQuestion = (): string | undefined =>
    tab.told.slice(known).flatMap((one) => {
      if (one.method !== 'message' || !one.params.message.text.startsWith('May I use')) return [];
      return [one.params.message.eventId];
    })[0];
  const question = await until(async () => isQuestion());
  return { verdict, question };
}

it('an answer at the other node is the verdict, and reaches nobody else', LONG, async () => {
  const schema = sharedSchema();
  const [a, b] = [await hereOn(schema, FILE), await hereOn(schema, FILE)];
  const { agents, operator } = a.tokens;
  const tab = await tabAt(b, a);
  for (const [text, behavior] of [
    ['yes', 'allow'],
    ['no, leave it', 'deny'],
  ] as const) {
    const { verdict, question } = await asked(a, tab, agents['lead'], `clean up before you say ${behavior}`);
    const { eventId } = await tab.say('general', text, { replyTo: question });
    expect(await verdict).toContain(behavior);
    const { body } = await b.call('GET', `/v1/why/${eventId}`, operator);
    expect(JSON.stringify(body)).toContain('answered_question');
  }
  const { verdict, question } = await asked(a, tab, agents['lead'], 'clean up once more');
  await tab.ask('react', { key: 'agreed', eventId: question, signal: 'agree' });
  expect(await verdict).toContain('allow');
});

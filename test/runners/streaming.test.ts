// What people see of an answer while a model writes it: the words that are going to be the answer, and no others. The real
// runners, a local provider and a real agent process, on a real host with the web chat.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type AgentLog, connect } from '../../src/agent/index.ts';
import { acpRunner } from '../../src/agent/runners/acp.ts';
import { aiSdkRunner } from '../../src/agent/runners/ai-sdk.ts';
import { interruptsOf, type Runner } from '../../src/agent/runners/runner.ts';
import type { Tab } from '../surfaces/web/tab.ts';
import { type Team, team } from '../surfaces/web/team.ts';
import { modelOf } from './model.ts';
import { type ProviderScript, startProvider } from './provider/server.ts';

const AGENT = join(import.meta.dirname, 'acp', 'agent.ts');
const log: AgentLog = { debug() {}, info() {}, warn() {}, error() {} };

function runs({ host }: Team, runner: Runner): void {
  const lead = connect({
    url: `${host.url.replace('http', 'ws')}/c2a`,
    token: host.tokens.agents['lead'] ?? '',
    compose: { quietMs: 50 },
    interrupts: interruptsOf(runner.capabilities),
    log,
  });
  lead.onTurn(runner);
  onTestFinished(async () => {
    await lead.close();
    await runner.close();
  });
}

const shown = async (tab: Tab): Promise<string> =>
  ((await tab.ask('open', { conversation: 'general' })).growing ?? []).map(({ text }) => text).join();
const answers = (tab: Tab): string[] =>
  tab.told.flatMap(({ method, params }) =>
    method === 'message' && params.message.author.id === 'lead' ? [params.message.text] : [],
  );

const LONG =
  'The deploy waits for the database, and the database waits for the deploy. Somebody has to begin.';

describe.each(['openai', 'anthropic'] as const)('a model over %s', (protocol) => {
  const asked = async (script: ProviderScript) => {
    const house = await team();
    const provider = await startProvider(script);
    onTestFinished(() => provider.close());
    runs(house, aiSdkRunner({ model: modelOf(protocol, provider), log }));
    const ada = await house.person('ada');
    await ada.tab.say('general', '@lead is the deploy blocked?');
    return { ada, provider };
  };

  it('is seen while it writes, without what it said before a tool call, and is one message', async () => {
    const { promise: hold, resolve: go } = Promise.withResolvers<void>();
    const { promise: look, resolve: looked } = Promise.withResolvers<void>();
    const { ada, provider } = await asked(({ nth }) => {
      if (nth === 1)
        return {
          text: 'Let me read what was said before.',
          toolCalls: [{ name: 'chat_read_thread' }],
          hold: look,
        };
      return { text: LONG, hold };
    });
    if (protocol === 'openai') {
      await expect.poll(() => shown(ada.tab)).toContain('Let me read');
    }
    looked();
    await provider.request(2);
    if (protocol === 'openai') await expect.poll(() => shown(ada.tab)).toContain('The deploy waits for');
    else await expect.poll(() => shown(ada.tab)).toBe('');
    expect(await shown(ada.tab)).not.toContain('Let me');
    expect(answers(ada.tab)).toEqual([]);
    go();
    await ada.tab.until('message', ({ message }) => message.author.id === 'lead');
    expect(answers(ada.tab)).toEqual([LONG]);
    expect(await shown(ada.tab)).toBe('');
    expect(provider.requests.map(({ stream }) => stream)).toEqual([true, true]);
  });

  it('leaves nothing behind when it answers with a tool', async () => {
    const { ada, provider } = await asked(({ nth }) =>
      nth === 1
        ? {
            text: 'I am going to say it.',
            toolCalls: [{ name: 'chat_send_message', input: { text: 'Said by tool.' } }],
          }
        : { text: 'I have said it, and these closing words are for nobody at all to see.' },
    );
    await ada.tab.until('message', ({ message }) => message.text === 'Said by tool.');
    await provider.request(2);
    await ada.tab.until('state', ({ states }) => states.some(({ state }) => state === 'answered'));
    await expect.poll(() => shown(ada.tab)).toBe('');
    expect(answers(ada.tab)).toEqual(['Said by tool.']);
    expect(JSON.stringify(ada.tab.told)).not.toContain('closing words');
  });
});

it('a model that fails in the middle leaves nothing behind', async () => {
  const house = await team();
  const failing = Promise.withResolvers<void>();
  failing.promise.catch(() => undefined);
  const provider = await startProvider(() => ({ text: LONG, hold: failing.promise }));
  onTestFinished(() => provider.close());
  runs(house, aiSdkRunner({ model: modelOf('openai', provider), log, maxRetries: 0 }));
  const ada = await house.person('ada');
  await ada.tab.say('general', '@lead is the deploy blocked?');
  await expect.poll(() => shown(ada.tab)).toContain('The deploy waits');
  failing.reject(new Error('the provider is gone'));
  await ada.tab.until('withdrawn');
  await ada.tab.until('state', ({ states }) => states.some(({ state }) => state === 'retrying'));
  expect(await shown(ada.tab)).toBe('');
});

describe('an ACP agent', () => {
  it('is seen while it writes; what it said before a refused permission is taken back', async () => {
    const house = await team();
    const folder = mkdtempSync(join(tmpdir(), 'earshot-acp-'));
    runs(house, acpRunner({ command: process.execPath, args: [AGENT, folder, 'ids'], log }));
    const ada = await house.person('ada');
    await ada.tab.say('general', '@lead !foretell please');
    await expect.poll(() => shown(ada.tab)).toContain('I am going to clean up the folder');
    const { message: question } = await ada.tab.until(
      'message',
      ({ message }) => message.author.id === 'lead',
    );
    expect(question.text).toContain('rm -r build');
    await ada.tab.say('general', 'no', { replyTo: question.eventId });
    await ada.tab.until('message', ({ message }) => message.text === 'Left as it is.');
    expect(answers(ada.tab)).toEqual([question.text, 'Left as it is.']);
    await expect.poll(() => shown(ada.tab)).toBe('');
  });

  it('that gives no ids shows nothing before it is known that it gives none', async () => {
    const house = await team();
    const folder = mkdtempSync(join(tmpdir(), 'earshot-acp-'));
    runs(house, acpRunner({ command: process.execPath, args: [AGENT, folder, ''], log }));
    const ada = await house.person('ada');
    const words = 'tell me a long story about the deploy and the database, with all that happened to them';
    await ada.tab.say('general', `@lead !say ${words}`);
    await ada.tab.until('message', ({ message }) => message.author.id === 'lead');
    expect(ada.tab.told.some(({ method }) => method === 'growing')).toBe(false);
    await ada.tab.say('general', `@lead !say ${words} again`);
    await expect.poll(() => answers(ada.tab)).toHaveLength(2);
    expect(answers(ada.tab)).toEqual([`I was asked: ${words}`, `I was asked: ${words} again`]);
  });
});

// Who is there and what they are doing, seen from another node than theirs: people and agents that are connected, typing,
// answers that grow, and the line that says that an agent is not connected.
import { expect, it, onTestFinished } from 'vitest';
import { connect } from '../../src/agent/index.ts';
import type { ShownAgent } from '../../src/protocol/operator-api.ts';
import type { Here } from '../server/here.ts';
import { message, until } from '../server/up.ts';
import { signIn, type SignedIn, type Tab } from '../surfaces/web/tab.ts';
import { answers, hereOn, sharedSchema } from './host-nodes.ts';

const LONG = { timeout: 120_000 };
const FILE = 'agents:\n  - { id: lead, name: Lead }\n  - { id: builder }\nlimits: { composeMs: 50 }\n';
const QUICKLY = `${FILE}host:\n  limits: { awayMs: 100 }\n`;
const QUIET = { debug() {}, info() {}, warn() {}, error() {} };

async function twoNodes(text = FILE): Promise<[Here, Here]> {
  const schema = sharedSchema();
  return [await hereOn(schema, text), await hereOn(schema, text)];
}

async function person(at: Here, made: Here, subject: string): Promise<SignedIn> {
  const body = { kind: 'person', subject, label: subject };
  const { body: token } = await made.call('POST', '/v1/tokens', made.tokens.operator, body);
  return signIn(at.url, token['token'] as string);
}

/** What the tab shows of growing answers that are not over. */
function growing(tab: Tab): string[] {
  const shown = new Map<string, string>();
  for (const { method, params } of tab.told) {
    if (method === 'withdrawn') shown.delete(params.eventId);
    if (method === 'message') shown.delete(params.message.eventId);
    if (method !== 'growing') continue;
    shown.set(params.eventId, (shown.get(params.eventId) ?? '').slice(0, params.from) + params.text);
  }
  return [...shown.values()];
}

const agentsAt = async (at: Here, token: string): Promise<ShownAgent[]> =>
  (await at.call('GET', '/v1/agents', token)).body['agents'] as ShownAgent[];

/** Resolves when the tab is told that the person came or left. */
const sees = (tab: Tab, id: string, connected: boolean) =>
  tab.until(
    'presence',
    (one) => one.kind === 'human' && one.person.id === id && one.person.connected === connected,
  );

it('a tab sees who is connected to the other node, and who leaves it', LONG, async () => {
  const [a, b] = await twoNodes();
  const ada = await person(a, a, 'ada');
  const bob = await person(b, a, 'bob');
  await sees(ada.tab, 'bob', true);
  const cy = await person(b, a, 'cy');
  expect(cy.hello.people.find(({ id }) => id === 'ada')).toMatchObject({ connected: true });
  await ada.tab.close();
  await sees(bob.tab, 'ada', false);
  // A second tab of one person at another node keeps them connected.
  await person(a, a, 'bob');
  await bob.tab.close();
  await cy.tab.close();
  const late = await person(b, a, 'ada');
  expect(late.hello.people.find(({ id }) => id === 'bob')).toMatchObject({ connected: true });
});

it('a tab sees an agent of the other node come, type, write its answer, and go', LONG, async () => {
  const [a, b] = await twoNodes();
  const { operator, agents } = a.tokens;
  const bob = await person(b, a, 'bob');
  expect(bob.hello.agents.find(({ id }) => id === 'lead')).toMatchObject({ connected: false });
  const agent = connect({ url: a.url, token: agents['lead'], log: QUIET, compose: { quietMs: 10 } });
  onTestFinished(() => agent.close());
  const { promise: more, resolve: goOn } = Promise.withResolvers<void>();
  agent.onTurn(async (turn) => {
    const out = turn.stream();
    out.write(`It is ${'long '.repeat(500)}`);
    await more;
    out.write('and done.');
    await out.end();
  });
  const presence = (connected: boolean) =>
    bob.tab.until(
      'presence',
      (one) => one.kind === 'agent' && one.agent === 'lead' && one.connected === connected,
    );
  await presence(true);
  expect((await agentsAt(b, operator)).find(({ id }) => id === 'lead')).toMatchObject({
    connected: true,
    away: false,
  });
  await bob.tab.say('general', '@lead, what is it?');
  await bob.tab.until('typing', ({ author }) => author.id === 'lead');
  await until(async () => growing(bob.tab).some((text) => text.length > 2_000));
  // Whoever opens the room now has it too.
  const cy = await person(b, a, 'cy');
  const { growing: begun = [] } = await cy.tab.ask('open', { conversation: 'general', limit: 10 });
  expect(begun.map(({ text }) => text.slice(0, 10))).toEqual(['It is long']);
  goOn();
  await bob.tab.until('message', ({ message: { text } }) => text.endsWith('and done.'));
  expect(growing(bob.tab)).toEqual([]);
  await until(async () => {
    const page = await cy.tab.ask('open', { conversation: 'general', limit: 10 });
    return page.growing === undefined;
  });
  await agent.close();
  await presence(false);
});

it(
  'that an agent is not connected is said once, whichever node is asked, and never of one that calls the other',
  LONG,
  async () => {
    const [a, b] = await twoNodes(QUICKLY);
    const { agents, surfaces, operator } = a.tokens;
    for (const id of ['lead', 'builder']) {
      const agent = connect({ url: b.url, token: agents[id], log: QUIET });
      await until(async () => agent.status === 'ready');
      await agent.close();
    }
    // A call counts as a sign of life after the end of the session, so that end has to be known first.
    await until(async () => (await agentsAt(b, operator)).every(({ connected }) => !connected));
    // Builder goes on by calls, to the first node.
    const call = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'chat.wait_events', arguments: { timeoutMs: 0 } },
    };
    expect((await a.call('POST', '/c2a', agents['builder'], call)).status).toBe(200);
    const away = async (at = b): Promise<string[]> => {
      const shown = await agentsAt(at, operator);
      return shown.flatMap((one) => (one.away ? [one.id] : []));
    };
    await until(async () => (await away()).join() === 'lead');
    // The one that it calls says so too.
    await until(async () => (await away(a)).join() === 'lead');
    const ask = async (at: Here, text: string, room: string): Promise<void> => {
      const event = message(text, { conversation: { id: room, kind: 'channel' } });
      expect((await at.call('POST', '/v1/events', surfaces['dev'], event)).status).toBe(202);
    };
    // The node with the timers is the first; the question comes in at the second, and the other way round.
    await ask(b, '@builder, is it green?', 'one');
    await ask(b, '@lead, is it green?', 'one');
    await ask(a, '@lead, have you seen the build?', 'two');
    await ask(a, '@lead, are you sure?', 'one');
    const lines = async (): Promise<string[]> =>
      (await answers(b, surfaces['dev'])).filter((text) => text.includes('not connected'));
    await until(async () => (await lines()).length >= 2);
    // Back, and away again: the next outage is another one, in each place once.
    const back = connect({ url: b.url, token: agents['lead'], log: QUIET });
    back.onTurn((turn) => `Yes: ${turn.text}`);
    await until(
      async () => (await answers(a, surfaces['dev'])).filter((text) => text.startsWith('Yes')).length >= 2,
    );
    expect(await lines()).toHaveLength(2);
    await back.close();
    await until(async () => (await away()).join() === 'lead');
    await ask(a, '@lead, have you seen it now?', 'two');
    await until(async () => (await lines()).length === 3);
    expect((await lines()).filter((text) => !text.startsWith('Lead'))).toEqual([]);
  },
);

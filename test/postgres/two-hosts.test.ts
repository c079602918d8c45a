// Two hosts on one PostgreSQL: what is said to one is heard by whoever listens to the other, once and in order, and
// neither waits for the other where they have nothing in common.
import { expect, it, onTestFinished, vi } from 'vitest';
import { readAllObligations } from '../../src/host/kernel/obligations.ts';
import { signIn } from '../surfaces/web/tab.ts';
import { message, type OneServer, twoServers } from './two-servers.ts';

/** Long enough for a busy machine. */
const PATIENT = { timeout: 30_000, interval: 20 };
const LONG = { timeout: 120_000 };

async function say({ host }: OneServer, ...events: Record<string, unknown>[]): Promise<void> {
  const results = await host.ingest(events, 'dev');
  expect(results.filter(({ status }) => status === 'refused')).toEqual([]);
}

/** Each host is told of many conversations at once, some of them the other's too. */
async function talk(servers: readonly OneServer[], rounds: number): Promise<string[]> {
  const said: string[] = [];
  await Promise.all(
    servers.map(async (server, at) => {
      for (let round = 0; round < rounds; round++) {
        const events = Array.from({ length: 8 }, (_, n) => {
          const id = `s${at}-r${round}-${n}`;
          said.push(id);
          return message(id, {
            conversation: { id: `room${n % 2 === 0 ? n : `${at}-${n}`}`, kind: 'channel' },
          });
        });
        await say(server, ...events);
      }
    }),
  );
  return said;
}

/** What a stream has told of the log, by event id. */
async function streamOf({ url, tokens }: OneServer): Promise<{ ids: string[] }> {
  const { token } = await tokens.issue({ kind: 'operator', subject: 'ops', label: '' });
  const abort = new AbortController();
  onTestFinished(() => abort.abort());
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${url}/v1/stream`, { headers, signal: abort.signal });
  const heard = { ids: [] as string[] };
  const reader = (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader();
  let text = (await reader.read()).value ?? '';
  const read = async (): Promise<void> => {
    for (;;) {
      const parts = text.split('\n\n');
      text = parts.pop() ?? '';
      for (const part of parts) {
        const data = /^event: logged\ndata: (.*)$/.exec(part)?.[1];
        if (data !== undefined) heard.ids.push((JSON.parse(data) as { eventId: string }).eventId);
      }
      const { value, done } = await reader.read();
      if (done) return;
      text += value;
    }
  };
  read().catch(() => undefined);
  return heard;
}

it(
  'a stream at one host and a tail of /v1/log tell what both have logged, once and in order',
  LONG,
  async () => {
    const { here, there } = await twoServers();
    const stream = await streamOf(here);
    const { token } = await here.tokens.issue({ kind: 'operator', subject: 'ops', label: '' });
    const tailed: string[] = [];
    let cursor = '0';
    const tail = async (): Promise<void> => {
      const headers = { authorization: `Bearer ${token}` };
      const response = await fetch(`${there.url}/v1/log?after=${cursor}&limit=50`, { headers });
      const page = (await response.json()) as { log: { eventId: string }[]; tailCursor?: string };
      tailed.push(...page.log.map(({ eventId }) => eventId));
      cursor = page.tailCursor ?? cursor;
    };
    const talking = talk([here, there], 15);
    const over = talking.then(() => 'over' as const);
    while ((await Promise.race([over, Promise.resolve('not yet')])) !== 'over') await tail();
    const said = (await talking).toSorted();
    await vi.waitFor(async () => {
      await tail();
      expect(tailed.length).toBeGreaterThanOrEqual(said.length);
      expect(stream.ids.length).toBeGreaterThanOrEqual(said.length);
    }, PATIENT);
    const rows = await here.store.scan('log', 'byPosition', { limit: 10_000 });
    const stored = rows.map(({ key }) => key);
    expect(stored.toSorted()).toEqual(said);
    expect(tailed).toEqual(stored);
    expect(stream.ids).toEqual(stored);
  },
);

it('a tab at one host hears what is said in tabs of the other, once and in order', LONG, async () => {
  const { here, there } = await twoServers();
  const token = async (subject: string): Promise<string> =>
    (await here.tokens.issue({ kind: 'person', subject, label: subject })).token;
  const ada = await signIn(here.url, await token('ada'));
  const bob = await signIn(there.url, await token('bob'));
  expect(bob.hello.instance).toBe(ada.hello.instance);
  const texts: string[] = [];
  for (let n = 0; n < 20; n++) {
    texts.push(`line ${n}`);
    await (n % 2 === 0 ? ada : bob).tab.say('general', `line ${n}`);
  }
  for (const { tab } of [ada, bob]) {
    await tab.until('message', ({ message: { text } }) => text === 'line 19');
    expect(tab.texts()).toEqual(texts);
  }
  // A channel that was made at one host is there for whoever connects to the other, and for whoever is connected.
  const made = await ada.tab.ask('create', { kind: 'channel', key: 'made', name: 'second' });
  const { id } = made.conversation;
  await bob.tab.until('conversation', ({ conversation }) => conversation.id === id);
  await bob.tab.say(id, 'here too');
  await ada.tab.until('message', ({ message: { text } }) => text === 'here too');
  const again = await signIn(there.url, await token('cy'));
  expect(again.hello.conversations.map((one) => one.id)).toContain(id);
});

it('a revoked token closes the tabs of the other host', LONG, async () => {
  const { here, there } = await twoServers();
  const { token, row } = await here.tokens.issue({ kind: 'person', subject: 'ada', label: 'Ada' });
  const { tab } = await signIn(there.url, token);
  await here.tokens.revoke(row.key);
  await tab.closed;
  expect((await there.tokens.authenticate(token)).ok).toBe(false);
});

it(
  'messages of other conversations wait for no lock of a message; the same conversation does',
  LONG,
  async () => {
    const { here, there, schema } = await twoServers();
    await say(here, message('first'), message('other', { conversation: { id: 'ops', kind: 'channel' } }));
    const client = await schema.client();
    await client.query('BEGIN');
    const held = await client.query("SELECT key FROM state WHERE key = 'c/dev/w/general' FOR UPDATE");
    expect(held.rowCount).toBe(1);
    const same = say(there, message('same'));
    let isStored = false;
    void same.then(() => {
      isStored = true;
    });
    const thread = { id: 'first', kind: 'thread', parentId: 'general' };
    await say(there, message('elsewhere', { conversation: { id: 'ops', kind: 'channel' } }));
    // A thread of the locked room looks at the room, and locks it not.
    await say(here, message('in-thread', { conversation: thread }));
    expect(isStored).toBe(false);
    await client.query('COMMIT');
    await same;
  },
);

it('two hosts that sweep at the same time bring a debt back once', LONG, async () => {
  const { here, there } = await twoServers();
  const obligation = { blocks: 'halted', defaultAction: 'I wait.' };
  await say(here, message('owed', { recipients: ['lead'], obligation }));
  // As if the interval had passed.
  const [key = ''] = await here.store.stateKeys('obligations/', '', 1);
  await here.store.transact({
    states: [key],
    run(view) {
      const state = view.state(key) as { open: readonly object[] };
      const open = state.open.map((one) => ({ ...one, dueAt: view.now - 1 }));
      return { writes: [{ state: key, value: { ...state, open }, wakeAt: view.now - 1 }], result: undefined };
    },
  });
  await Promise.all([here, there, here, there].map(({ host }) => host.sweep.round()));
  const [open] = (await readAllObligations(there.store)).open;
  expect(open).toMatchObject({ returned: 1 });
  const asked = await here.store.scan('delivery', 'byAgent', { eq: ['lead'], limit: 10 });
  expect(asked.map(({ eventId }) => eventId)).toEqual(['owed', 'owed/return-1']);
});

it(
  'two hosts that sweep at the same time escalate an unanswered question once, after its second deadline',
  LONG,
  async () => {
    const { here, there } = await twoServers();
    await say(here, message('owed', { text: '@worker can you check?' }));
    const of = (agent: string) => here.store.scan('delivery', 'byAgent', { eq: [agent], limit: 10 });
    for (const escalated of [0, 1]) {
      const open = (await of('worker')).filter(({ dueFor }) => dueFor === 'deadline');
      expect(open).toHaveLength(1);
      // As if the deadline had passed.
      await here.store.transact({
        states: [],
        rows: open.map(({ key }) => ['delivery', key] as const),
        run(view) {
          const rows = open.flatMap(({ key }) => view.row('delivery', key) ?? []);
          const writes = rows.map((row) => ({
            table: 'delivery' as const,
            row: { ...row, dueAt: view.now - 1 },
          }));
          return { writes, result: undefined };
        },
      });
      await Promise.all([here, there, here, there].map(({ host }) => host.sweep.round()));
      expect(await of('lead')).toHaveLength(escalated);
    }
  },
);

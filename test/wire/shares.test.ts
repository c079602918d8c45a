// Nobody starves the others: one token misbehaves in each way that is known, over the real wire, and another agent of the
// same host is asked and answers. What is counted is work in progress, rows written, bytes kept and the order of turns.
import { expect, it } from 'vitest';
import { LANE_LIMITS, SHARE_LIMITS } from '../../src/host/security/shares.ts';
import { WAIT_MAX_MS } from '../../src/protocol/read-tools.ts';
import { httpClient } from '../../src/transport/http-client.ts';
import { heldReads } from './held-reads.ts';
import { until, type WireHost } from './host.ts';
import { harness, hostWith, type ToolResult, type WireHarness } from './ways.ts';

const AGENTS = [{ id: 'nova' }, { id: 'echo' }];
const NEVER_MS = 24 * 3_600_000;
/** Nobody is pinged, because time passes in leaps or not at all. */
const QUIET = { agents: AGENTS, host: { limits: { heartbeatMs: NEVER_MS } } };

/** Asks an agent that does nothing wrong, and it answers. */
async function asksOther(wire: WireHost, other: WireHarness): Promise<void> {
  const asked = await wire.say('@echo are you there?', { in: 'elsewhere' });
  await wire.pass(40_000, 10_000);
  const seen = await other.next(({ eventId }) => eventId === asked, 'the question to the other');
  expect(await other.reply(seen, 'I am.')).toMatchObject({ ok: true });
  await until(() => wire.platform.shown.some(({ text }) => text === 'I am.'), 'the answer of the other');
}

const refusals = (answers: readonly ToolResult[]) =>
  answers.flatMap((answer) => (answer.ok ? [] : [`${answer.name}: ${answer.message}`]));
const list = (agent: WireHarness, room: string) =>
  agent.tool('chat.list_events', { target: `channel:${room}` });
const TO_WAIT = /^rate_limited: .*Wait \d+ ms/;

/** The value of a metric, from /metrics. */
async function metric(wire: WireHost, line: string): Promise<number> {
  const text = await (await fetch(`${wire.url}/metrics`)).text();
  const found = text.split('\n').find((one) => one.startsWith(`${line} `));
  return Number(found?.slice(line.length + 1) ?? 0);
}

it('200 reads at once are done two at a time, and whoever else reads has the next turn', async () => {
  const { wire, agent: nova } = await hostWith('websocket', 'nova', QUIET);
  const echo = await harness(wire, 'echo', 'websocket');
  await wire.say('hello', { in: 'general' });
  await wire.say('hello', { in: 'quiet' });
  const reads = heldReads(wire);
  const all = Array.from({ length: 200 }, () => nova.tool('chat.list_events', { target: 'channel:general' }));
  await until(() => reads.held >= LANE_LIMITS.read.each, 'the first reads');
  await nova.request('ping', {});
  expect(reads.held).toBe(LANE_LIMITS.read.each);
  const other = echo.tool('chat.list_events', { target: 'channel:quiet' });
  await until(() => reads.order.includes('quiet'), 'the turn of the other');
  expect(reads.order).toEqual([...Array<string>(LANE_LIMITS.read.each).fill('general'), 'quiet']);
  reads.open();
  expect(await other).toMatchObject({ ok: true });
  expect(refusals(await Promise.all(all))).toEqual([]);
  await asksOther(wire, echo);
});

it('turns go round between tokens when all places are taken', async () => {
  const three = [...AGENTS, { id: 'iris' }];
  const { wire, agent: nova } = await hostWith('websocket', 'nova', {
    ...QUIET,
    agents: three,
    shares: { lanes: { read: { each: 4, all: 4, waiting: 256 } } },
  });
  const echo = await harness(wire, 'echo', 'websocket');
  const iris = await harness(wire, 'iris', 'pull');
  for (const room of ['general', 'quiet', 'calm']) await wire.say('hello', { in: room });
  const reads = heldReads(wire);
  const all = Array.from({ length: 20 }, () => list(nova, 'general'));
  await until(() => reads.held === 4, 'the first reads');
  await nova.request('ping', {});
  all.push(list(echo, 'quiet'), list(echo, 'quiet'), list(iris, 'calm'));
  await until(
    () => ['agent:echo', 'agent:iris'].every((who) => wire.host.context.shares.of(who).waiting > 0),
    'the others to wait',
  );
  for (let turn = 0; turn < 2; turn++) {
    const before = reads.order.length;
    reads.letOneGo();
    await until(() => reads.order.length > before, 'the next turn');
  }
  expect(reads.order.slice(4).toSorted()).toEqual(['calm', 'quiet']);
  reads.open();
  expect(refusals(await Promise.all(all))).toEqual([]);
});

it('more reads than may wait are refused with the time to come back, and the operator sees who', async () => {
  const { wire, agent: nova } = await hostWith('websocket', 'nova', QUIET);
  const echo = await harness(wire, 'echo', 'websocket');
  await wire.say('hello', { in: 'general' });
  const reads = heldReads(wire);
  const all = Array.from({ length: 600 }, () => nova.tool('chat.list_events', { target: 'channel:general' }));
  const { each, waiting } = LANE_LIMITS.read;
  await until(() => wire.host.context.shares.of('agent:nova').refused?.count === 600 - each - waiting);
  expect(wire.host.context.shares.of('agent:nova')).toMatchObject({ running: each, waiting });
  reads.open();
  const told = refusals(await Promise.all(all));
  expect(told).toHaveLength(600 - each - waiting);
  for (const one of told) expect(one).toMatch(TO_WAIT);
  const refused = 'earshot_share_refused_total{reason="read",who="agent:nova"}';
  const same = 'earshot_share_refused_total{who="agent:nova",reason="read"}';
  expect((await metric(wire, refused)) + (await metric(wire, same))).toBe(told.length);
  const { body } = await wire.call('GET', '/v1/agents', await wire.token('operator', 'ops'));
  expect(body['agents']).toContainEqual(
    expect.objectContaining({
      id: 'nova',
      calls: { running: 0, waiting: 0, refused: expect.objectContaining({ reason: 'read' }) as unknown },
    }),
  );
  await asksOther(wire, echo);
});

it('one who reads pages one after another is only slowed', async () => {
  const { wire, agent: nova } = await hostWith('pull', 'nova', QUIET);
  for (let n = 0; n < 30; n++) await wire.say(`line ${n}`, { in: 'general' });
  for (let n = 0; n < 200; n++)
    expect(await nova.tool('chat.list_events', { target: 'channel:general' })).toMatchObject({ ok: true });
});

it('3,000 reports about one piece of work are two rows, and about many at most the rows of its share', async () => {
  const { wire, agent: nova } = await hostWith('websocket', 'nova', QUIET, {
    capabilities: { utilities: { progress: true } },
  });
  const echo = await harness(wire, 'echo', 'websocket');
  const eventId = await wire.say('@nova build it, please');
  const report = (progressToken: string, progress: number) =>
    nova.notify('notifications/progress', { eventId, progressToken, progress, total: 3_000 });
  for (let n = 1; n <= 3_000; n++) await report('build', n);
  await nova.request('ping', {});
  await wire.pass(1_000);
  const rows = async () =>
    (await wire.host.context.store.scan('log', 'byPosition', { limit: 10_000 }))
      .map(({ record: { event } }) => event)
      .filter(({ type }) => type === 'progress');
  await until(async () => (await rows()).length === 2, 'the newest report');
  expect(await rows()).toMatchObject([{ progress: 1 }, { progress: 3_000 }]);
  for (let n = 0; n < 3_000; n++) await report(`piece-${n}`, 1);
  await nova.request('ping', {});
  await wire.pass(10_000);
  expect((await rows()).length).toBeLessThanOrEqual(122 + 20);
  expect(wire.host.context.shares.of('agent:nova').refused?.reason).toBe('progress');
  await asksOther(wire, echo);
});

it('300 looks that are alike are one row of the audit, with how many', async () => {
  const { wire, agent: nova } = await hostWith('websocket', 'nova', {
    ...QUIET,
    shares: { lanes: { read: { each: 4, all: 8, waiting: 1_000 } } },
  });
  const echo = await harness(wire, 'echo', 'websocket');
  const looks = Array.from({ length: 300 }, () => nova.tool('chat.open_set', { query: 'owe' }));
  expect(refusals(await Promise.all(looks))).toEqual([]);
  for (let n = 0; n < 100; n++)
    expect(await nova.tool('chat.read_thread', { inReplyTo: `none-${n}` })).toMatchObject({ ok: false });
  await wire.pass(1_500);
  const audit = await wire.host.context.store.scan('audit', 'byPosition', { limit: 10_000 });
  const of = (tool: string) => audit.filter(({ what }) => what === tool);
  const times = (tool: string) => of(tool).reduce((sum, { detail }) => sum + Number(detail['times'] ?? 1), 0);
  expect(of('chat.open_set').map(({ detail }) => detail)).toEqual([{ query: 'owe', times: 300 }]);
  expect(times('chat.read_thread')).toBe(100);
  expect(of('chat.read_thread').length).toBeLessThanOrEqual(34);
  await asksOther(wire, echo);
});

it.each([
  [
    'modes',
    'chat.set_mode',
    (n: number) => ({ target: 'channel:general', mode: n % 2 === 0 ? 'follow' : 'auto' }),
  ],
  ['focus', 'chat.focus', (n: number) => ({ ttlMs: 1_000 + n })],
] as const)('%s in a loop write no more rows than its share', async (_, tool, argsAt) => {
  const acts = { perMinute: 60, burst: 20, maxKeys: 100 };
  const { wire, agent: nova } = await hostWith('websocket', 'nova', {
    ...QUIET,
    shares: { rates: { acts } },
  });
  const echo = await harness(wire, 'echo', 'websocket');
  await wire.say('@nova hello', { in: 'general' });
  const before = (await wire.host.context.store.scan('log', 'byPosition', { limit: 1_000 })).length;
  const calls = await Promise.all(Array.from({ length: 100 }, (__, n) => nova.tool(tool, argsAt(n))));
  const told = refusals(calls);
  expect(told.filter((one) => TO_WAIT.test(one))).toHaveLength(80);
  const rows = await wire.host.context.store.scan('log', 'byPosition', { limit: 1_000 });
  expect(rows.length - before).toBeLessThanOrEqual(20);
  await asksOther(wire, echo);
});

it('of 40 long polls eight stay; the older are told to come back, and the newest get what comes', async () => {
  const { wire, agent: echo } = await hostWith('websocket', 'echo', QUIET);
  const rpc = httpClient({
    url: `${wire.url}/c2a`,
    token: await wire.token('agent', 'nova'),
    clock: wire.clock,
  });
  const ended: string[] = [];
  const polls = Array.from({ length: 40 }, async () => {
    const params = { name: 'chat.wait_events', arguments: { timeoutMs: WAIT_MAX_MS } };
    const answer = await rpc.request('tools/call', params, { timeoutMs: NEVER_MS });
    const { structuredContent } = (answer.ok ? answer.result : {}) as { structuredContent?: object };
    ended.push(JSON.stringify(structuredContent));
  });
  await until(() => ended.length === 40 - SHARE_LIMITS.polls, 'the older polls');
  for (const one of ended) expect(one).toMatch(/"retryAfterMs":1000,"name":"rate_limited"/);
  expect(wire.host.context.shares.polls.of('agent:nova')).toBe(SHARE_LIMITS.polls);
  const asked = await wire.say('@nova are you there?');
  await wire.pass(10_000);
  await until(() => ended.some((one) => one.includes(`"${asked}"`)), 'the question at one of the polls');
  await asksOther(wire, echo);
  await Promise.all(polls);
});

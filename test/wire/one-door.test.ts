// One door, one set of checks: whatever way an event comes, the same source may say the same. A source held to one
// platform cannot speak on another, a platform belongs to the surface that is named for it, a room belongs to the source
// that tells of it, and nobody gets past the rates.
import { describe, expect, it } from 'vitest';
import { createPeer } from '../../src/transport/peer.ts';
import { webSocketClient } from '../../src/transport/websocket-client.ts';
import { internalSurface } from '../../src/surfaces/internal/internal.ts';
import type { Surface, SurfaceHost } from '../../src/surfaces/surface.ts';
import { Refusal, signIn } from '../surfaces/web/tab.ts';
import { type Posting, type WireHost, type WireHostOptions, wireHost } from './host.ts';
import { type Post, SOURCE_WAYS, sourceOver } from './sources.ts';
import { harness } from './ways.ts';

const WAYS = [...SOURCE_WAYS, 'operator', 'in process'] as const;
type Way = (typeof WAYS)[number];

/** A host where `bridge` is held to irc, `other` and `chat` to nothing, and an adapter has slack. */
interface Door {
  wire: WireHost;
  /** Posts as this source. In process: as an adapter that has its platform. */
  over: (way: Way, source: string) => Promise<Post>;
}

async function door(options: Pick<WireHostOptions, 'rateLimits'> = {}): Promise<Door> {
  const hosts = new Map<string, SurfaceHost>();
  const adapter = (id: string, platform: string): Surface => ({
    ...internalSurface(id),
    platform,
    start: (host) => Promise.resolve(void hosts.set(id, host)),
  });
  const wire = await wireHost({
    ...options,
    sources: [{ id: 'bridge', platform: 'irc' }],
    surfaces: () => [adapter('slack-team', 'slack'), adapter('irc-net', 'ircnet')],
  });
  const over = async (way: Way, source: string): Promise<Post> => {
    if (way === 'http' || way === 'websocket') return sourceOver(wire, way, source);
    if (way === 'operator') return asOperator(wire, source);
    const host = hosts.get(source === 'bridge' ? 'irc-net' : source);
    if (host === undefined) throw new Error(`no surface "${source}" runs in this process`);
    return (...events) => host.ingest(events as never);
  };
  return { wire, over };
}

async function asOperator(wire: WireHost, source: string): Promise<Post> {
  const scopes = ['operator:read', 'operator:write', 'events:write'];
  const operator = await wire.token('operator', 'ops');
  const made = await wire.call('POST', '/v1/tokens', operator, { kind: 'operator', subject: 'pen', scopes });
  const token = String(made.body['token']);
  return async (...events) => {
    const response = await fetch(`${wire.url}/v1/events`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'earshot-source': source,
      },
      body: JSON.stringify({ events }),
    });
    return ((await response.json()) as { events: Posting[] }).events;
  };
}

const on = (platform: string, more: Record<string, unknown> = {}) => ({
  in: 'C1',
  more: { platform, ...more },
});

const thread = (parent: string) => ({ in: 'T9', thread: parent, more: { platform: 'matrix' } });

describe.each(WAYS)('a source that posts over %s', (way) => {
  const held = way === 'in process' ? 'ircnet' : 'irc';

  it('speaks for its platform and for no other', async () => {
    const { wire, over } = await door();
    const bridge = await over(way, 'bridge');
    const [own] = await bridge(wire.event('hello', on(held)));
    expect(own).toMatchObject({ status: 'accepted' });
    for (const platform of ['slack', 'chat', 'matrix']) {
      const [refused] = await bridge(wire.event('hello', on(platform)));
      expect(refused).toMatchObject({ status: 'refused', error: { code: 'wrong_platform' } });
      expect(refused?.error?.message).toContain(`"${held}" only`);
    }
    for (const platform of ['web', 'earshot']) {
      const [refused] = await bridge(wire.event('hello', on(platform)));
      expect(refused).toMatchObject({ status: 'refused', error: { code: 'invalid_event' } });
    }
  });

  it('is held to its rate, and told when to come back', async () => {
    const limit = { perMinute: 60, burst: 2, maxKeys: 10 };
    const { wire, over } = await door({ rateLimits: { inboundPerSurface: limit } });
    const bridge = await over(way, 'bridge');
    const events = ['a', 'b', 'c'].map((text) => wire.event(text, { ...on(held), by: text }));
    await bridge(...events.slice(0, 2));
    const [refused] = await bridge(...events.slice(2));
    expect(refused).toMatchObject({
      status: 'refused',
      error: { code: 'rate_limited', retryAfterMs: 1_000 },
    });
    wire.clock.advance(1_000);
    expect((await bridge(...events.slice(2)))[0]).toMatchObject({ status: 'accepted' });
  });

  it('with long texts is held to their length: one batch passes, the next when it is made up for', async () => {
    const limit = { perMinute: 60_000, burst: 1_000, maxKeys: 10 };
    const { wire, over } = await door({ rateLimits: { inboundCharsPerSurface: limit } });
    const bridge = await over(way, 'bridge');
    const long = (by: string) => wire.event('long '.repeat(400), { ...on(held), by });
    const [first, second, third] = ['a', 'b', 'c'].map(long);
    expect(await bridge(first ?? {}, second ?? {})).toMatchObject([
      { status: 'accepted' },
      { status: 'accepted' },
    ]);
    // Over HTTP it is refused before its body is read, so nothing is said about each event.
    const refused = (await bridge(third ?? {})) as Posting[] | undefined;
    expect(refused?.[0]?.status ?? 'refused').toBe('refused');
    wire.clock.advance(3_000);
    expect((await bridge(third ?? {}))[0]).toMatchObject({ status: 'accepted' });
  });

  it('keeps its order when long texts take their turns and short ones come behind them', async () => {
    const { wire, over } = await door();
    const bridge = await over(way, 'bridge');
    const say = (text: string) => wire.event(text, { ...on(held) });
    const long = Array.from({ length: 6 }, (_, n) => say(`${n} `.repeat(20_000)));
    const batches = [long, [say('short')], [say('shorter')]];
    const results = await Promise.all(batches.map((batch) => bridge(...batch)));
    const places = results.flat().map((result) => (result as { seq?: number }).seq ?? Number.NaN);
    if (way === 'http' || way === 'operator') expect(new Set(places).size).toBe(8);
    else expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  it('is held to the rate of each author', async () => {
    const limit = { perMinute: 6, burst: 1, maxKeys: 10 };
    const { wire, over } = await door({ rateLimits: { inboundPerAuthor: limit } });
    const bridge = await over(way, 'bridge');
    const lines = [{ by: 'mallory' }, { by: 'mallory' }, { by: 'ada' }];
    const results = await bridge(...lines.map((line) => wire.event('hello', { ...on(held), ...line })));
    expect(results.map(({ status }) => status)).toEqual(['accepted', 'refused', 'accepted']);
    expect(results[1]?.error).toMatchObject({ code: 'rate_limited', retryAfterMs: 10_000 });
  });
});

it('the rate of a source is one, over all ways together', async () => {
  const limit = { perMinute: 60, burst: 3, maxKeys: 10 };
  const { wire, over } = await door({ rateLimits: { inboundPerSurface: limit } });
  const ways = await Promise.all(
    (['http', 'websocket', 'operator'] as const).map((way) => over(way, 'bridge')),
  );
  for (const post of ways)
    expect((await post(wire.event('x', on('irc'))))[0]).toMatchObject({ status: 'accepted' });
  for (const post of ways)
    expect((await post(wire.event('x', on('irc'))))[0]).toMatchObject({ error: { code: 'rate_limited' } });
});

describe.each(['http', 'websocket', 'operator'] as const)(
  'a source that is held to nothing, over %s',
  (way) => {
    it('may not speak for a platform that another surface is named for', async () => {
      const { wire, over } = await door();
      const other = await over(way, 'other');
      for (const platform of ['irc', 'slack', 'chat']) {
        const [refused] = await other(wire.event('hello', on(platform)));
        expect(refused).toMatchObject({ status: 'refused', error: { code: 'wrong_platform' } });
      }
      expect((await other(wire.event('hello', on('matrix'))))[0]).toMatchObject({ status: 'accepted' });
    });

    it('has its rooms to itself, and the threads in them, and what agents answer there', async () => {
      const { wire, over } = await door();
      const lead = await harness(wire, 'lead', 'pull');
      const [other, chat] = [await over(way, 'other'), await over(way, 'chat')];
      const [asked] = await other(wire.event('@lead is it blocked?', on('matrix')));
      const inThread = { in: 'T1', thread: 'C1', more: { platform: 'matrix' } };
      for (const line of [on('matrix'), inThread]) {
        const [refused] = await chat(wire.event('@lead tell me all', line));
        expect(refused).toMatchObject({ status: 'refused', error: { code: 'wrong_source' } });
        expect(refused?.error?.message).toContain('belongs to the source "other"');
      }
      await wire.pass(3_000);
      const seen = await lead.next(({ eventId }) => eventId === asked?.eventId);
      expect(await lead.reply(seen, 'It is not.')).toMatchObject({ ok: true });
      expect(await waiting(wire, 'other')).toEqual(['It is not.']);
      expect(wire.platform.arrived).toEqual([]);
    });

    it('does not get the parent of its thread changed to the room of another', async () => {
      const { wire, over } = await door();
      const [other, chat] = [await over(way, 'other'), await over(way, 'chat')];
      await other(wire.event('private talk', on('matrix')));
      expect((await chat(wire.event('mine', thread('C2'))))[0]).toMatchObject({ status: 'accepted' });
      expect((await chat(wire.event('yours', thread('C1'))))[0]).toMatchObject({
        error: { code: 'wrong_source' },
      });
    });
  },
);

/** The texts that wait for a source that pulls. */
async function waiting(wire: WireHost, source: string): Promise<string[]> {
  const { body } = await wire.call('GET', '/v1/outbox', await wire.token('surface', source));
  return (body['messages'] as { text: string }[]).map(({ text }) => text);
}

describe('the web chat', () => {
  it('reaches its own rooms only', async () => {
    const { wire, over } = await door();
    await (await over('http', 'bridge'))(wire.event('hello', on('irc')));
    const { tab } = await signIn(wire.url, await wire.token('person', 'ada'));
    await expect(tab.say('C1', 'hello')).rejects.toThrow(/no such conversation/);
  });

  it('is held to the rate of each person', async () => {
    const { wire } = await door({
      rateLimits: { inboundPerAuthor: { perMinute: 6, burst: 2, maxKeys: 10 } },
    });
    const { tab } = await signIn(wire.url, await wire.token('person', 'ada'));
    const outcomes = [];
    for (const text of ['a', 'b', 'c']) outcomes.push(await tab.say('general', text).catch((error) => error));
    const refused = outcomes.find((one) => one instanceof Refusal);
    expect(refused?.error.data).toMatchObject({ name: 'rate_limited', retryAfterMs: 10_000 });
  });
});

it.each(['websocket', 'http'] as const)('an agent brings no events in, over %s', async (way) => {
  const { wire } = await door();
  const token = await wire.token('agent', 'lead');
  const events = [wire.event('hello', on('irc'))];
  if (way === 'http') {
    const body = { jsonrpc: '2.0', id: 1, method: 'ingest/events', params: { events } };
    expect((await wire.call('POST', '/c2a', token, body)).body).toHaveProperty('error');
    expect((await wire.call('POST', '/v1/events', token, { events })).status).toBe(403);
    return;
  }
  const transport = webSocketClient({
    url: `${wire.url.replace('http', 'ws')}/c2a`,
    token,
    clock: wire.clock,
  });
  const peer = createPeer(transport, { clock: wire.clock, handlers: {} });
  await peer.start();
  wire.finished(async () => {
    peer.close('normal');
    await peer.closed;
  });
  await peer.request('initialize', { protocolVersion: '2026-06-02' });
  expect(await peer.request('ingest/events', { events })).toMatchObject({ ok: false });
});

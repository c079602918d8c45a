// What strangers can do to a host before it knows their token: nothing that keeps others out. Real sockets, and a clock
// that stands still unless it is told to move.
import { describe, expect, it, vi } from 'vitest';
import { STRANGER_LIMITS } from '../../src/host/security/stranger-limits.ts';
import { office } from '../surfaces/web/office.ts';
import { crowd, head, stranger, upgradeTo } from './crowd.ts';

const get = (url: string, path: string, token?: string, more: Record<string, string> = {}) =>
  fetch(`${url}${path}`, {
    headers: { ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...more },
  });

describe('room for those who have a token', () => {
  it('a thousand sockets at /web keep nobody out: the oldest strangers go first', async () => {
    const { url, person, server } = await office();
    const tabs = await crowd(url, STRANGER_LIMITS.connections + 76, upgradeTo('/web'));
    const ada = await person('ada');
    const counts = () => server.context.strangers.counts();
    expect(counts().strangers).toBeLessThanOrEqual(STRANGER_LIMITS.connections);
    expect(tabs.filter((tab) => tab.isCut()).length).toBeGreaterThan(0);
    expect(tabs.at(-1)?.isCut()).toBe(false);
    await expect(ada.tab.ask('ping', {})).resolves.toEqual({});
  });

  it('silent connections keep nobody out, on any way in', async () => {
    const { url, tokens, person } = await office();
    const silent = await crowd(url, STRANGER_LIMITS.connections + 76);
    const { token } = await tokens.issue({ kind: 'operator', subject: 'ops', label: '' });
    expect((await get(url, '/v1/agents', token)).status).toBe(200);
    expect((await get(url, '/healthz')).status).toBe(200);
    await person('ada');
    await vi.waitFor(() => expect(silent.filter(({ isCut }) => isCut()).length).toBeGreaterThan(0));
  });
});

describe('a rush of strangers', () => {
  const health = `${head('GET /healthz HTTP/1.1')}\r\n`;
  const { connections, sharedReplaced } = STRANGER_LIMITS;
  const WAITING = 40;
  type Counts = () => { strangers: number; turnedAway: { room: number } };

  /** Fills their room, and replaces as many as may be replaced at once. In parts, because the system's backlog is small. */
  async function fill(url: string, counts: Counts): Promise<void> {
    const opened = () => counts().strangers + counts().turnedAway.room;
    while (opened() < connections + sharedReplaced.burst) {
      const part = Math.min(100, connections + sharedReplaced.burst - opened());
      const want = opened() + part;
      await crowd(url, part);
      await vi.waitFor(() => expect(opened()).toBe(want));
    }
  }

  it('comes in at a bounded pace once their room is full: the others wait unread, and then come in as they came', async () => {
    const { url, clock, server, tokens } = await office();
    const counts = () => server.context.strangers.counts();
    await fill(url, counts);
    const rush = await crowd(url, WAITING, health);
    const { token } = await tokens.issue({ kind: 'operator', subject: 'ops', label: '' });
    const known = await stranger(
      url,
      `${head('GET /v1/agents HTTP/1.1', { authorization: `Bearer ${token}` })}\r\n`,
    );
    await vi.waitFor(() => expect(counts().waiting).toBe(WAITING + 1));
    expect([...rush, known].map(({ heard }) => heard()).join('')).toBe('');
    expect(counts().turnedAway.room).toBe(sharedReplaced.burst);

    clock.advance(20);
    const before = WAITING + 1 - counts().waiting;
    expect(before).toBeGreaterThan(0);
    expect(before).toBeLessThan(WAITING);
    await vi.waitFor(() =>
      expect(rush.filter(({ heard }) => heard().includes('200 OK'))).toHaveLength(before),
    );
    expect(known.heard()).toBe('');
    for (let ms = 0; ms < 200; ms += 10) clock.advance(10);
    await vi.waitFor(() => expect(known.heard()).toContain('200 OK'));
    expect(counts()).toMatchObject({ waiting: 0, known: 1 });
    expect(rush.filter(({ isCut }) => isCut())).toEqual([]);
  });

  it('that waits is cut when the host stops', async () => {
    const { url, server } = await office();
    const counts = () => server.context.strangers.counts();
    await fill(url, counts);
    const waiting = await crowd(url, 3);
    await vi.waitFor(() => expect(counts().waiting).toBe(3));
    await server.drain();
    await Promise.all(waiting.map(({ cut }) => cut));
  });
});

describe('what says nothing, or dribbles, is cut', () => {
  it.each([
    ['says nothing', '', STRANGER_LIMITS.headMs],
    ['never ends its request head', head('GET /healthz HTTP/1.1'), STRANGER_LIMITS.headMs],
    [
      'never ends the head of an upgrade',
      head('GET /c2a HTTP/1.1', { upgrade: 'websocket' }),
      STRANGER_LIMITS.headMs,
    ],
    ['opens /web and never says hello', upgradeTo('/web'), STRANGER_LIMITS.helloMs],
    [
      'never ends the body of a webhook',
      `${head('POST /v1/surfaces/slack/events HTTP/1.1', { 'content-length': '99' })}\r\n{`,
      STRANGER_LIMITS.requestMs,
    ],
  ])('one that %s', async (_, says, ms) => {
    const { url, clock, server } = await office();
    const one = await stranger(url, says);
    await vi.waitFor(() => expect(server.context.strangers.counts().strangers).toBe(1));
    if (says.includes('websocket\r\n') && says.endsWith('\r\n\r\n'))
      await vi.waitFor(() => expect(one.heard()).toContain('101'));
    if (says.endsWith('{')) await vi.waitFor(() => expect(server.context.strangers.counts().bodies).toBe(1));
    clock.advance(ms - 1_000);
    await get(url, '/healthz');
    expect(one.isCut()).toBe(false);
    clock.advance(2_000 + STRANGER_LIMITS.sweepMs);
    await one.cut;
    await vi.waitFor(() => expect(server.context.strangers.counts().strangers).toBeLessThanOrEqual(1));
  });

  it('an idle connection after its answer, but not one with a token', async () => {
    const { url, clock, tokens } = await office();
    const { token } = await tokens.issue({ kind: 'operator', subject: 'ops', label: '' });
    const without = await stranger(url, `${head('GET /healthz HTTP/1.1')}\r\n`);
    const bearer = { authorization: `Bearer ${token}` };
    const withToken = await stranger(url, `${head('GET /v1/agents HTTP/1.1', bearer)}\r\n`);
    await vi.waitFor(() => expect(without.heard()).toContain('alive'));
    await vi.waitFor(() => expect(withToken.heard()).toContain('200 OK'));
    clock.advance(STRANGER_LIMITS.sharedIdleMs + STRANGER_LIMITS.sweepMs);
    await without.cut;
    withToken.socket.write(`${head('GET /v1/agents HTTP/1.1', bearer)}\r\n`);
    await vi.waitFor(() => expect(withToken.heard().split('200 OK')).toHaveLength(3));
  });
});

describe('stopping', () => {
  it('waits for no stranger', async () => {
    const { url, server } = await office();
    const silent = await crowd(url, 3);
    const idle = await stranger(url, `${head('GET /healthz HTTP/1.1')}\r\n`);
    await vi.waitFor(() => expect(idle.heard()).toContain('alive'));
    await server.drain();
    await Promise.all([...silent, idle].map(({ cut }) => cut));
  });
});

describe('no body is read before the token is known', () => {
  it.each(['/v1/events', '/v1/replay', '/c2a', '/mcp', '/v1/backup', '/nowhere'])('POST %s', async (path) => {
    const { url } = await office();
    const one = await stranger(url, `${head(`POST ${path} HTTP/1.1`, { 'content-length': '60000' })}\r\n{`);
    expect(await one.cut).toMatch(/^HTTP\/1\.1 40[14] /);
  });

  it('bodies of platforms, which sign theirs, are bounded: the oldest goes first', async () => {
    const { url, server } = await office();
    const says = `${head('POST /v1/surfaces/slack/events HTTP/1.1', { 'content-length': '99' })}\r\n{`;
    const first = await stranger(url, says);
    const counts = () => server.context.strangers.counts();
    await vi.waitFor(() => expect(counts().bodies).toBe(1));
    await crowd(url, STRANGER_LIMITS.bodies, says);
    await first.cut;
    expect(counts().bodies).toBeLessThanOrEqual(STRANGER_LIMITS.bodies);
  });
});

describe('guessing', () => {
  const wrong = `ear_o_${'x'.repeat(43)}`;

  it('wrong tokens are limited over HTTP, and a valid one from the same address gets in', async () => {
    const { url, tokens } = await office();
    const { token } = await tokens.issue({ kind: 'operator', subject: 'ops', label: '' });
    const seen = new Set<number>();
    for (let i = 0; i <= STRANGER_LIMITS.wrongTokens.burst; i++)
      seen.add((await get(url, i % 2 === 0 ? '/v1/agents' : '/mcp', wrong)).status);
    expect([...seen]).toEqual([401, 429]);
    const refused = await get(url, '/v1/agents', wrong);
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect(refused.headers.get('connection')).toBe('close');
    expect((await get(url, '/v1/agents', token)).status).toBe(200);
  });

  it('at /c2a and /web too', async () => {
    const { url, tokens, person } = await office();
    for (let i = 0; i < STRANGER_LIMITS.wrongTokens.burst; i++) await get(url, '/v1/agents', wrong);
    const guess = await stranger(
      url,
      upgradeTo('/c2a', { authorization: `Bearer ${wrong}`, 'sec-websocket-protocol': 'c2a' }),
    );
    expect(await guess.cut).toMatch(/^HTTP\/1\.1 429 /);
    const { token } = await tokens.issue({ kind: 'agent', subject: 'lead', label: '' });
    const agent = await stranger(url, upgradeTo('/c2a', { authorization: `Bearer ${token}` }));
    await vi.waitFor(() => expect(agent.heard()).toContain('101'));
    await person('ada');
  });
});

describe('requests of strangers', () => {
  it('are limited, while a token from the same address is served', async () => {
    const { url, tokens, server } = await office();
    const { token } = await tokens.issue({ kind: 'operator', subject: 'ops', label: '' });
    const { burst } = STRANGER_LIMITS.sharedRequests;
    const pipelined = `${head('GET /healthz HTTP/1.1')}\r\n`.repeat(50);
    const many = await crowd(url, burst / 50 + 1, pipelined);
    await Promise.race(many.map(({ cut }) => cut));
    expect(server.context.strangers.counts().turnedAway.requests).toBeGreaterThan(0);
    expect((await get(url, '/healthz')).status).toBe(429);
    expect((await get(url, '/v1/agents', token)).status).toBe(200);
  });
});

const asked = (from: string): string => upgradeTo('/web', { 'x-forwarded-for': from });

describe('behind a proxy', () => {
  it('a trusted one says whose connection it is: one address cannot fill the room', async () => {
    const { url, server } = await office({ trustedProxies: ['loopback'] });
    const other = await stranger(url, asked('198.51.100.7'));
    await vi.waitFor(() => expect(other.heard()).toContain('101'));
    const many = await crowd(url, STRANGER_LIMITS.connectionsAnAddress + 10, asked('203.0.113.5'));
    await vi.waitFor(() => expect(many.filter(({ isCut }) => isCut())).toHaveLength(10));
    expect(other.isCut()).toBe(false);
    expect(server.context.strangers.counts().strangers).toBe(STRANGER_LIMITS.connectionsAnAddress + 1);
  });

  it('another one is not believed', async () => {
    const { url } = await office();
    const many = await crowd(url, STRANGER_LIMITS.connectionsAnAddress + 10, asked('203.0.113.5'));
    await vi.waitFor(() => expect(many.at(-1)?.heard()).toContain('101'));
    expect(many.filter(({ isCut }) => isCut())).toEqual([]);
  });
});

import { beforeEach, describe, expect, it } from 'vitest';
import { wireError } from '../protocol/errors.ts';
import { VirtualClock } from '../runtime/clock.ts';
import type { RpcAnswer, Call, RpcHandlers } from './requests.ts';
import { memoryPair } from './memory.ts';
import { createPeer, type Peer, PEER_LIMITS, type PeerOptions } from './peer.ts';
import { listen, TRANSPORT_LIMITS, type Transport } from './transport.ts';

let clock: VirtualClock;
beforeEach(() => {
  clock = new VirtualClock();
});

const done: RpcAnswer = { ok: true, result: 'done' };
const never = (): Promise<RpcAnswer> => new Promise(() => {});
async function turns(count = 8): Promise<void> {
  for (let i = 0; i < count; i++) await Promise.resolve();
}

interface Joined {
  client: Peer;
  server: Peer;
}
async function joined(handlers: RpcHandlers, options: Partial<PeerOptions> = {}): Promise<Joined> {
  const [a, b] = memoryPair();
  const client = createPeer(a, { clock, ...options });
  const server = createPeer(b, { clock, handlers, ...options });
  await Promise.all([client.start(), server.start()]);
  return { client, server };
}

/** A peer whose other side is the test itself, frame by frame. */
async function watched(
  options: Partial<PeerOptions>,
): Promise<{ peer: Peer; other: Transport; frames: unknown[] }> {
  const [a, other] = memoryPair();
  const frames: unknown[] = [];
  const peer = createPeer(a, { clock, ...options });
  listen(other, { onmessage: (frame) => frames.push(JSON.parse(frame)) });
  await Promise.all([peer.start(), other.start()]);
  return { peer, other, frames };
}

describe('a request', () => {
  it('is answered with the result of its handler, at once or later, whatever the order', async () => {
    const later = Promise.withResolvers<RpcAnswer>();
    const { client } = await joined({
      slow: () => later.promise,
      fast: (params) => ({ ok: true, result: params }),
      empty: () => ({ ok: true, result: undefined }),
    });
    const slow = client.request('slow');
    expect(await client.request('fast', { n: 1 })).toEqual({ ok: true, kind: 'result', result: { n: 1 } });
    expect(await client.request('empty')).toEqual({ ok: true, kind: 'result', result: null });
    later.resolve(done);
    expect(await slow).toEqual({ ok: true, kind: 'result', result: 'done' });
    expect(client.pending).toBe(0);
    expect(clock.pending()).toBe(0);
  });

  it('comes back with the refusal of its handler, with the bug of one, with the name of what there is', async () => {
    const errors: Error[] = [];
    const { client } = await joined(
      {
        refuse: () => ({ ok: false, error: wireError('left') }),
        throws: () => {
          throw new Error('bug');
        },
        rejects: () => Promise.reject(new Error('late bug')),
        cyclic: () => ({ ok: true, result: 1n }),
      },
      { onError: (error) => errors.push(error) },
    );
    expect(await client.request('refuse')).toEqual({ ok: false, kind: 'error', error: wireError('left') });
    for (const method of ['throws', 'rejects', 'cyclic']) {
      expect(await client.request(method)).toMatchObject({ kind: 'error', error: { code: -32603 } });
    }
    expect(errors).toHaveLength(3);
    const unknown = await client.request('constructor');
    expect(unknown).toMatchObject({
      kind: 'error',
      error: { code: -32601, data: { name: 'unknown_method' } },
    });
  });

  it('ends by timeout, and an answer after that is ignored', async () => {
    const late = Promise.withResolvers<RpcAnswer>();
    const { client } = await joined({ late: () => late.promise });
    const outcome = client.request('late', undefined, { timeoutMs: 50 });
    await turns();
    clock.advance(50);
    expect(await outcome).toEqual({ ok: false, kind: 'timeout' });
    late.resolve(done);
    await turns();
    expect(client.pending).toBe(0);
    const patient = client.request('nothing-like-it');
    expect(await patient).toMatchObject({ kind: 'error' });
    expect(clock.pending()).toBe(0);
  });

  it('ends at its own time, whichever was asked first, with one timer for all that are open', async () => {
    const { client } = await joined({ wait: never });
    const ended: string[] = [];
    const ask = (name: string, timeoutMs: number): void =>
      void client.request('wait', {}, { timeoutMs }).then(({ kind }) => ended.push(`${name} ${kind}`));
    const after = async (ms: number): Promise<string[]> => {
      clock.advance(ms);
      await turns();
      return ended.splice(0);
    };
    ask('long', 100);
    ask('short', 30);
    expect(await after(20)).toEqual([]);
    ask('later', 30);
    expect([client.pending, clock.pending()]).toEqual([3, 1]);
    expect(await after(9)).toEqual([]);
    expect(await after(1)).toEqual(['short timeout']);
    expect(await after(19)).toEqual([]);
    expect(await after(1)).toEqual(['later timeout']);
    ask('at once', 0);
    expect(await after(0)).toEqual(['at once timeout']);
    expect(await after(49)).toEqual([]);
    expect(await after(1)).toEqual(['long timeout']);
    expect([client.pending, clock.pending()]).toEqual([0, 0]);
  });

  it('waits for its whole time, also when one before it was answered', async () => {
    const { client } = await joined({ wait: never, done: () => done });
    const first = client.request('done', {}, { timeoutMs: 50 });
    clock.advance(10);
    let second: string | undefined;
    void client.request('wait', {}, { timeoutMs: 50 }).then(({ kind }) => {
      second = kind;
    });
    expect(await first).toMatchObject({ ok: true });
    clock.advance(49);
    await turns();
    expect(second).toBeUndefined();
    clock.advance(1);
    await turns();
    expect(second).toBe('timeout');
  });

  it('ends by its signal and tells the other side, whose handler hears it [C2A-06-02/cancel/tool-call]', async () => {
    const seen: Call[] = [];
    const { client } = await joined({
      wait: (_, call) => {
        seen.push(call);
        return new Promise((resolve) => call.signal.addEventListener('abort', () => resolve(done)));
      },
    });
    const abort = new AbortController();
    const outcome = client.request('wait', {}, { signal: abort.signal });
    await turns();
    abort.abort();
    expect(await outcome).toEqual({ ok: false, kind: 'cancelled' });
    await turns();
    expect(seen[0]?.signal.aborted).toBe(true);
    expect(await client.request('wait', {}, { signal: abort.signal })).toEqual({
      ok: false,
      kind: 'cancelled',
    });
    expect(clock.pending()).toBe(0);
  });

  it('ends with the connection, on both sides', async () => {
    let signal: AbortSignal | undefined;
    const { client, server } = await joined({
      wait: (_, call) => {
        signal = call.signal;
        return never();
      },
    });
    const open = [client.request('wait'), client.request('wait')];
    await turns();
    expect(server.serving).toBe(2);
    client.close('going_away');
    expect(await Promise.all(open)).toEqual(
      [1, 2].map(() => ({ ok: false, kind: 'closed', reason: 'going_away' })),
    );
    expect(await server.closed).toBe('going_away');
    expect(signal?.aborted).toBe(true);
    expect(await client.request('wait')).toEqual({ ok: false, kind: 'closed', reason: 'going_away' });
    expect(client.notify('x')).toBe(false);
    expect([client.isClosed, server.isClosed, clock.pending()]).toEqual([true, true, 0]);
  });

  it('is not sent when too many are open or when it is larger than a frame', async () => {
    const { client } = await joined({ wait: never }, { limits: { pending: 2 } });
    void client.request('wait');
    void client.request('wait');
    expect(await client.request('wait')).toMatchObject({
      kind: 'not_sent',
      error: { data: { name: 'rate_limited' } },
    });
    const roomy = await joined({});
    const huge = await roomy.client.request('x', { text: 'x'.repeat(TRANSPORT_LIMITS.frameBytes) });
    expect(huge).toMatchObject({ kind: 'not_sent', error: { data: { name: 'too_large' } } });
    expect(roomy.client.pending).toBe(0);
  });

  it('is refused when too many are being handled, and answered again once there is room', async () => {
    const gate = Promise.withResolvers<RpcAnswer>();
    const { client } = await joined({ wait: () => gate.promise }, { limits: { concurrent: 1 } });
    const first = client.request('wait');
    expect(await client.request('wait')).toMatchObject({
      kind: 'error',
      error: { data: { name: 'rate_limited' } },
    });
    gate.resolve(done);
    expect(await first).toMatchObject({ ok: true });
    expect(await client.request('wait')).toMatchObject({ ok: true });
  });

  it('with an answer larger than a frame is told so', async () => {
    const { client } = await joined({
      big: () => ({ ok: true, result: 'x'.repeat(TRANSPORT_LIMITS.frameBytes) }),
    });
    expect(await client.request('big')).toMatchObject({
      kind: 'error',
      error: { data: { name: 'too_large' } },
    });
  });
});

describe('a frame', () => {
  it('that is no message is answered with the standard codes', async () => {
    const { other, frames } = await watched({});
    for (const text of ['{', '[]', '{"jsonrpc":"1.0","id":7,"method":"x"}', '{"jsonrpc":"2.0","id":"z"}'])
      other.send(text);
    await turns();
    expect(frames).toMatchObject([
      { id: null, error: { code: -32700 } },
      { id: null, error: { code: -32600 } },
      { id: 7, error: { code: -32600 } },
      { id: null, error: { code: -32600 } },
    ]);
  });

  it('that answers nothing of ours is ignored; an error under no id goes to the log', async () => {
    const errors: Error[] = [];
    const { other, frames } = await watched({ onError: (error) => errors.push(error) });
    other.send('{"jsonrpc":"2.0","id":"99","result":1}');
    other.send('{"jsonrpc":"2.0","id":99,"result":1}');
    other.send('{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"what?"}}');
    await turns();
    expect(frames).toEqual([]);
    expect(errors.map(({ message }) => message)).toEqual(['the peer could not read a frame: what?']);
  });

  it('that is a notification is handed on and never answered, not even when its handler breaks', async () => {
    const seen: unknown[] = [];
    const errors: Error[] = [];
    const { other, frames } = await watched({
      onNotification: (method, params) => {
        seen.push([method, params]);
        if (method === 'throws') throw new Error('bug');
        return method === 'rejects' ? Promise.reject(new Error('late bug')) : undefined;
      },
      onError: (error) => errors.push(error),
    });
    for (const method of ['fine', 'throws', 'rejects'])
      other.send(`{"jsonrpc":"2.0","method":"${method}","params":{}}`);
    await turns();
    expect(seen).toEqual([
      ['fine', {}],
      ['throws', {}],
      ['rejects', {}],
    ]);
    expect(errors).toHaveLength(2);
    expect(frames).toEqual([]);
  });

  it('that is a batch is answered as one, without the notifications in it', async () => {
    const { other, frames } = await watched({ handlers: { a: () => Promise.resolve(done), b: () => done } });
    other.send(
      '[{"jsonrpc":"2.0","id":1,"method":"a"},{"jsonrpc":"2.0","method":"n"},{"jsonrpc":"2.0","id":2,"method":"b"},5]',
    );
    other.send('[{"jsonrpc":"2.0","method":"n"}]');
    await turns(12);
    expect(frames).toMatchObject([
      [
        { id: 1, result: 'done' },
        { id: 2, result: 'done' },
        { id: null, error: {} },
      ],
    ]);
  });

  it('with an id that is under way is refused under none', async () => {
    const { other, frames } = await watched({ handlers: { wait: never } });
    other.send('{"jsonrpc":"2.0","id":1,"method":"wait"}');
    other.send('{"jsonrpc":"2.0","id":1,"method":"wait"}');
    await turns();
    expect(frames).toMatchObject([{ id: null, error: { code: -32600 } }]);
  });
});

it('cuts a peer that asks and does not read the answers', async () => {
  const [a, other] = memoryPair();
  const errors: Error[] = [];
  const peer = createPeer(a, {
    clock,
    handlers: { big: () => ({ ok: true, result: 'x'.repeat(1_000_000) }) },
    onError: (error) => errors.push(error),
  });
  await peer.start();
  // Started, so that it can send, and stopped from reading by never giving up its turn.
  await other.start();
  for (let id = 0; id < 40; id++) other.send(`{"jsonrpc":"2.0","id":${id},"method":"big"}`);
  expect(await peer.closed).toBe('lost');
  expect(errors[0]?.message).toContain('unread');
  expect(PEER_LIMITS.unreadBytes).toBeLessThan(40_000_000);
});

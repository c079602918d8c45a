// The ways by which a source hands its events over: `POST /v1/events`, and `ingest/events` over a WebSocket. Both answer
// with one result each, in the shape of the HTTP answer.
import { onTestFinished } from 'vitest';
import { createPeer } from '../../src/transport/peer.ts';
import { webSocketClient } from '../../src/transport/websocket-client.ts';
import { type Posting, SOURCE, type WireHost } from './host.ts';

export const SOURCE_WAYS = ['http', 'websocket'] as const;
export type SourceWay = (typeof SOURCE_WAYS)[number];

export type Post = (...events: readonly object[]) => Promise<Posting[]>;

export async function sourceOver(wire: WireHost, way: SourceWay, source = SOURCE): Promise<Post> {
  return way === 'http' ? overHttp(wire, source) : overWebSocket(wire, source);
}

async function overHttp(wire: WireHost, source: string): Promise<Post> {
  const token = await wire.token('surface', source);
  return async (...events) => {
    const { body } = await wire.call('POST', '/v1/events', token, { events });
    return body['events'] as Posting[];
  };
}

const STATUS = { stored: 'accepted', duplicate: 'repeat', refused: 'refused' } as const;

interface WireResult {
  eventId: string;
  sourceId?: string;
  status: keyof typeof STATUS;
  sequence?: number;
  problem?: string;
  code?: string;
  retryAfterMs?: number;
}

async function overWebSocket(wire: WireHost, source: string): Promise<Post> {
  const url = `${wire.url.replace('http', 'ws')}/c2a`;
  const token = await wire.token('surface', source);
  const peer = createPeer(webSocketClient({ url, token, clock: wire.clock }), {
    clock: wire.clock,
    handlers: { ping: () => ({ ok: true, result: {} }) },
  });
  await peer.start();
  onTestFinished(async () => {
    peer.close('normal');
    await peer.closed;
  });
  const begun = await peer.request('initialize', { protocolVersion: '2026-06-02' });
  if (!begun.ok) throw new Error(`initialize was refused: ${JSON.stringify(begun)}`);
  return async (...events) => {
    const answer = await peer.request('ingest/events', { events: [...events] });
    if (!answer.ok) throw new Error(`ingest/events was refused: ${JSON.stringify(answer)}`);
    return (answer.result as { events: WireResult[] }).events.map(
      ({ status, sequence, problem, code = 'refused', retryAfterMs, ...ids }) => ({
        ...ids,
        status: STATUS[status],
        ...(sequence === undefined ? {} : { seq: sequence }),
        ...(problem === undefined
          ? {}
          : { error: { code, message: problem, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) } }),
      }),
    );
  };
}

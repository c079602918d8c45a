// The WebSocket side that all floors share: frames in, frames out, one write per turn of the event loop. It parses JSON
// and has no sessions, no checks and no time-outs.
import { createServer } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { BenchEvent } from './load.ts';
import { loopUs } from './measure.ts';

export interface FloorWire {
  /** Sends to the harnesses in turn. */
  deliver(event: BenchEvent, shown: object): void;
}

export interface Asked {
  events: readonly BenchEvent[];
  /** Answers the surface when all events are durable. */
  answer: () => void;
}

interface Out {
  socket: WebSocket;
  stream: Duplex;
  corked: boolean;
}

export interface FloorHandlers {
  ingest(asked: Asked): void;
  acknowledged(eventId: string): void;
}

/** The approximate size of an event and its envelope in a frame. */
export const FRAME_BYTES = 400;
const TEXT = { binary: false, compress: false };

function send(out: Out, frame: object): void {
  if (!out.corked) {
    out.corked = true;
    out.stream.cork();
    queueMicrotask(() => {
      out.corked = false;
      out.stream.uncork();
    });
  }
  out.socket.send(JSON.stringify(frame), TEXT);
}

/** Listens on loopback and tells the parent process the port. */
export function serveFloor(startedAt: number, connect: (wire: FloorWire) => FloorHandlers): void {
  const harnesses: Out[] = [];
  let next = 0;
  const handlers = connect({
    deliver(event, shown) {
      const out = harnesses[next++ % harnesses.length];
      if (out === undefined) return;
      send(out, { jsonrpc: '2.0', id: event.eventId, method: 'chat/deliver', params: shown });
    },
  });
  const server = createServer();
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  server.on('upgrade', (request, stream, head) => {
    sockets.handleUpgrade(request, stream, head, (socket) => {
      const out: Out = { socket, stream, corked: false };
      if (request.headers.authorization !== 'Bearer surface') harnesses.push(out);
      socket.on('close', () => {
        const at = harnesses.indexOf(out);
        if (at >= 0) harnesses.splice(at, 1);
      });
      socket.on('message', (data: Buffer) => {
        const { id, method, params } = JSON.parse(data.toString()) as {
          id: number | string;
          method?: string;
          params: { events: BenchEvent[] };
        };
        const answer = (): void => send(out, { jsonrpc: '2.0', id, result: {} });
        if (method === undefined) handlers.acknowledged(String(id));
        else if (method === 'ingest/events') handlers.ingest({ events: params.events, answer });
        else answer();
      });
    });
  });
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as { port: number };
    process.send?.({ port, readyMs: performance.now(), openMs: performance.now() - startedAt });
  });
  process.on('message', ({ type }: { type: string }) => {
    if (type === 'stop') process.exit(0);
    process.send?.({ loopUs: loopUs() });
  });
}

// A real host with a fault planted: a proxy in front of it that changes frames on their way, so that `earshot conform`
// has something to find. HTTP goes through, but for events that the fault answers itself.
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';

export interface Message {
  [member: string]: unknown;
  method?: string;
  params?: Record<string, unknown>;
}

type Change = (message: Message) => Message | undefined;

export interface Fault {
  /** From the host to the harness; undefined drops the frame. */
  toHarness?: Change;
  toHost?: Change;
  /** Answers events that a source posts, instead of the host; undefined leaves them to the host. */
  onEvents?: (body: { events: PostedEvent[] }) => object | undefined;
}

interface PostedEvent {
  eventId: string;
  conversation: { id: string };
}

export async function faultyHost(url: string, fault: Fault): Promise<string> {
  const { hostname, port, host } = new URL(url);
  const server = createServer((incoming, answer) => {
    const { method, url: path } = incoming;
    const headers = { ...incoming.headers, host };
    const onward = request({ hostname, port, method, path, headers }, (from) => {
      answer.writeHead(from.statusCode ?? 502, from.headers);
      from.pipe(answer);
    });
    onward.on('error', () => answer.destroy());
    if (path !== '/v1/events' || fault.onEvents === undefined) incoming.pipe(onward);
    else
      void posted(incoming).then((body) => {
        const own = fault.onEvents?.(JSON.parse(body) as { events: PostedEvent[] });
        if (own === undefined) return onward.end(body);
        onward.destroy();
        return answer.writeHead(202, { 'content-type': 'application/json' }).end(JSON.stringify(own));
      });
  });
  const sockets = new WebSocketServer({ server, handleProtocols: () => 'c2a' });
  sockets.on('connection', (near, incoming) => join(near, incoming, `ws://${host}`, fault));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets.clients) socket.terminate();
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function posted(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function join(near: WebSocket, incoming: IncomingMessage, host: string, { toHarness, toHost }: Fault): void {
  const protocols = (incoming.headers['sec-websocket-protocol'] ?? '').split(',').map((one) => one.trim());
  const far = new WebSocket(`${host}${incoming.url ?? ''}`, protocols);
  const early: string[] = [];
  far.on('open', () => {
    for (const frame of early) far.send(frame);
  });
  near.on('message', (data: Buffer) => {
    const frame = changed(data.toString(), toHost);
    if (frame === undefined) return;
    if (far.readyState === WebSocket.OPEN) far.send(frame);
    else early.push(frame);
  });
  far.on('message', (data: Buffer) => {
    const frame = changed(data.toString(), toHarness);
    if (frame !== undefined) near.send(frame);
  });
  far.on('close', (code) => near.close(code >= 3_000 ? code : 1_000));
  near.on('close', () => far.close());
  far.on('error', () => near.terminate());
  near.on('error', () => far.terminate());
}

function changed(frame: string, change: Change | undefined): string | undefined {
  if (change === undefined) return frame;
  let message: Message;
  try {
    message = JSON.parse(frame) as Message;
  } catch {
    return frame;
  }
  const next = change(message);
  return next === undefined ? undefined : JSON.stringify(next);
}

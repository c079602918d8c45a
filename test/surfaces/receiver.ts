// What the subjects of all platforms need: a secret, and where a platform posts its events.
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Secret } from '../../src/surfaces/secret.ts';
import type { Surface } from '../../src/surfaces/surface.ts';

export function secret(name: string, value: string | undefined): Secret {
  return { name, read: () => Promise.resolve(value) };
}

/** Hands what is posted there to the surface, as the host's route does. */
export async function receiver(surface: Surface): Promise<string> {
  const server = createServer((request, response) => {
    void answer(surface, request).then(({ status, body }) => response.writeHead(status).end(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`;
}

async function answer(
  surface: Surface,
  request: IncomingMessage,
): Promise<{ status: number; body?: string }> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const headers = request.headers as Record<string, string>;
  const given = {
    method: 'POST' as const,
    path: (request.url ?? '/').slice(1),
    query: '',
    headers,
    body: Buffer.concat(chunks),
    receivedAt: Date.now(),
  };
  return (await surface.request?.(given)) ?? { status: 404 };
}

// A fetch-style handler as a listener of node:http: `createServer(nodeListener(handler))`.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';

export function nodeListener(
  handler: (request: Request) => Promise<Response>,
): (request: IncomingMessage, response: ServerResponse) => void {
  return (incoming, outgoing) => {
    answer(handler, incoming, outgoing).catch(() => {
      // The handler answers whatever it is asked: here the caller is gone, or was never one of ours.
      if (!outgoing.headersSent) outgoing.writeHead(500);
      outgoing.end();
    });
  };
}

async function answer(
  handler: (request: Request) => Promise<Response>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const { method = 'GET', headers } = incoming;
  const given = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, one]),
  );
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const body = hasBody ? { body: Readable.toWeb(incoming), duplex: 'half' as const } : {};
  // The address is not looked at: the signature says whose request it is.
  const response = await handler(new Request('http://webhook.invalid/', { method, headers: given, ...body }));
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.end(await response.text());
}

// A proxy on loopback between an adapter's real SDK and the platform behind it. It passes every request on, except where
// the test plants a fault: the platform is busy, fails, or the connection breaks before or after the platform has done it.
import { once } from 'node:events';
import { createServer, type IncomingMessage, request as call, type ServerResponse } from 'node:http';

/**
 * `reset_before`: the platform never hears of it. `reset_after`: it has done it, and the answer is lost. `hang`: it has
 * not, and no answer comes.
 */
export const FAULTS = ['pass', 'limited', 'failed', 'reset_before', 'reset_after', 'hang'] as const;
export type Fault = (typeof FAULTS)[number];

export interface FaultProxy {
  url: string;
  /** Decides about a request. Default: everything passes. */
  fault: (path: string, body: string) => Fault;
  /** Every request that came, with what became of it. */
  requests: { path: string; fault: Fault }[];
  /** Requests that wait until something happens. Default: none. */
  isWaiting: (path: string) => boolean;
  /** Requests that the platform is working on, without those that wait. */
  underWay: number;
  close(): Promise<void>;
}

const RETRY_AFTER_S = 1;

export async function faultProxy(target: string): Promise<FaultProxy> {
  const proxy: FaultProxy = {
    url: '',
    fault: () => 'pass',
    isWaiting: () => false,
    requests: [],
    underWay: 0,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      const path = request.url ?? '/';
      const fault = proxy.fault(path, body.toString());
      proxy.requests.push({ path, fault });
      if (fault !== 'hang' && !proxy.isWaiting(path)) {
        proxy.underWay++;
        response.once('close', () => proxy.underWay--);
      }
      perform(fault, { request, response, body, target });
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  proxy.url = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  return proxy;
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  body: Buffer;
  target: string;
}

function perform(fault: Fault, exchange: Exchange): void {
  const { request, response } = exchange;
  switch (fault) {
    case 'hang':
      return;
    case 'reset_before':
      request.socket.destroy();
      return;
    case 'limited':
      response.writeHead(429, { 'retry-after': String(RETRY_AFTER_S) }).end();
      return;
    case 'failed':
      response.writeHead(500).end();
      return;
    case 'reset_after':
      pass(exchange, () => request.socket.destroy());
      return;
    case 'pass':
      pass(exchange, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
  }
}

/** Asks the platform, and hands its answer on. */
function pass({ request, response, body, target }: Exchange, done: (answer: IncomingMessage) => void): void {
  const to = new URL(request.url ?? '/', target);
  const headers = { ...request.headers, host: to.host, 'content-length': String(body.length) };
  const asked = call(to, { method: request.method ?? 'GET', headers }, done);
  asked.on('error', () => response.writeHead(502).end());
  asked.end(body);
}

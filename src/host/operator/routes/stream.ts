// GET /v1/stream: the host's news as server-sent events, with the trace of every decision. The stream is not durable: a
// reader that is too slow is disconnected and must read /v1/log.
import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { StreamNews } from '../../../protocol/operator-api.ts';
import type { HostNews } from '../../kernel/change.ts';
import type { ServerContext } from '../../http/context.ts';
import { HttpError, unavailable } from '../../http/http-error.ts';
import { authorized } from '../../http/request.ts';
import { cleanDeep } from '../../http/response.ts';
import { shownDelivery, shownEvent } from '../shown.ts';

const STREAMS_MAX = 64;
const UNREAD_BYTES = 1_048_576;
const KEEP_ALIVE_MS = 15_000;

export function streamRoutes(app: FastifyInstance, context: ServerContext): void {
  let streams = 0;
  app.get('/v1/stream', async (request, reply) => {
    const identity = await authorized(context, request, 'operator:read');
    if (context.drain.draining) throw unavailable('The host is stopping. Connect again shortly.');
    if (streams >= STREAMS_MAX) {
      throw new HttpError(429, 'rate_limited', `At most ${STREAMS_MAX} streams at once: close one.`, 10_000);
    }
    streams++;
    reply.hijack();
    const forget = context.connections.add(identity, () => reply.raw.destroy());
    serveStream(context, reply.raw, () => {
      streams--;
      forget();
    });
  });
}

function serveStream(
  { host, clock, drain, clean }: ServerContext,
  out: ServerResponse,
  ended: () => void,
): void {
  out.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  out.write(': earshot\n\n');
  const write = (text: string): void => {
    if (out.writableLength > UNREAD_BYTES) out.destroy();
    else out.write(text);
  };
  const unlisten = host.context.bus.listen((news) => {
    const shown = shownNews(news);
    if (shown !== undefined)
      write(`event: ${news.type}\ndata: ${JSON.stringify(cleanDeep(shown, clean))}\n\n`);
  });
  const keepAlive = (): void => {
    write(': still here\n\n');
    cancel = clock.after(KEEP_ALIVE_MS, keepAlive);
  };
  let cancel = clock.after(KEEP_ALIVE_MS, keepAlive);
  const end = (): void => void out.end();
  drain.signal.addEventListener('abort', end, { once: true });
  out.once('close', () => {
    unlisten();
    cancel();
    drain.signal.removeEventListener('abort', end);
    ended();
  });
  out.on('error', () => out.destroy());
}

function shownNews(news: HostNews): StreamNews['data'] | undefined {
  switch (news.type) {
    case 'logged':
      return shownEvent(news.row);
    case 'deliver':
    case 'settled':
      return shownDelivery(news.delivery);
    case 'withdraw':
      return { ...shownDelivery(news.delivery), reason: news.reason };
    case 'outbox':
    case 'inbox':
      return { key: news.key };
    case 'typing':
    case 'cancel_turn':
    case 'session':
    case 'surface':
    case 'turn_failed':
    case 'progress': {
      const { type: _, ...rest } = news;
      return rest;
    }
    case 'clock':
    case 'outbox_done':
    case 'token_revoked':
    case 'due':
    case 'warning':
      return undefined;
  }
}

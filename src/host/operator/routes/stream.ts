// GET /v1/stream: the host's news as server-sent events, with the trace of every decision. What was logged is told of all
// hosts of the store, everything else of this one. The stream is not durable: a reader that is too slow is disconnected
// and must read /v1/log.
import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { StreamNews } from '../../../protocol/operator-api.ts';
import type { HostNews } from '../../kernel/change.ts';
import type { ServerContext } from '../../http/context.ts';
import { HttpError, unavailable } from '../../http/http-error.ts';
import { authorized } from '../../http/request.ts';
import { endTurn } from '../../http/request-share.ts';
import { cleanDeep } from '../../http/response.ts';
import { callerOf, SHARE_LIMITS } from '../../security/shares.ts';
import { shownDelivery, shownEvent } from '../shown.ts';

const STREAMS_MAX = 64;
const UNREAD_BYTES = 1_048_576;
const KEEP_ALIVE_MS = 15_000;

export function streamRoutes(app: FastifyInstance, context: ServerContext): void {
  const { shares } = context.host.context;
  let streams = 0;
  const byCaller = new Map<string, number>();
  app.get('/v1/stream', async (request, reply) => {
    const identity = await authorized(context, request, 'operator:read');
    if (context.drain.draining) throw unavailable('The host is stopping. Connect again shortly.');
    if (streams >= STREAMS_MAX) {
      throw new HttpError(429, 'rate_limited', `At most ${STREAMS_MAX} streams at once: close one.`, 10_000);
    }
    const who = callerOf(identity);
    const own = byCaller.get(who) ?? 0;
    if (own >= SHARE_LIMITS.streams) {
      shares.refused(who, 'streams');
      const message = `At most ${SHARE_LIMITS.streams} streams of one token at once: close one.`;
      throw new HttpError(429, 'rate_limited', message, 10_000);
    }
    byCaller.set(who, own + 1);
    streams++;
    endTurn(request);
    reply.hijack();
    const forget = context.connections.add(identity, () => reply.raw.destroy());
    serveStream(context, reply.raw, () => {
      streams--;
      const left = (byCaller.get(who) ?? 1) - 1;
      if (left === 0) byCaller.delete(who);
      else byCaller.set(who, left);
      forget();
    });
  });
}

function serveStream(
  { host, clock, drain, clean }: ServerContext,
  out: ServerResponse,
  ended: () => void,
): void {
  const { bus, tail, log } = host.context;
  out.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  const write = (text: string): void => {
    if (out.writableLength > UNREAD_BYTES) out.destroy();
    else out.write(text);
  };
  const tell = (type: HostNews['type'], shown: StreamNews['data']): void =>
    write(`event: ${type}\ndata: ${JSON.stringify(cleanDeep(shown, clean))}\n\n`);
  const following = tail.follow((row) => tell('logged', shownEvent(row)));
  const unlisten = bus.listen((news) => {
    const shown = shownNews(news);
    if (shown !== undefined) tell(news.type, shown);
  });
  // The first bytes say that everything from here on is told.
  following.then(
    () => write(': earshot\n\n'),
    (error: unknown) => {
      log.warn({ err: error }, 'a stream could not begin');
      out.destroy();
    },
  );
  const keepAlive = (): void => {
    write(': still here\n\n');
    cancel = clock.after(KEEP_ALIVE_MS, keepAlive);
  };
  let cancel = clock.after(KEEP_ALIVE_MS, keepAlive);
  const end = (): void => void out.end();
  drain.signal.addEventListener('abort', end, { once: true });
  out.once('close', () => {
    following.then((unfollow) => unfollow()).catch(() => undefined);
    unlisten();
    cancel();
    drain.signal.removeEventListener('abort', end);
    ended();
  });
  out.on('error', () => out.destroy());
}

function shownNews(news: HostNews): StreamNews['data'] | undefined {
  switch (news.type) {
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
    case 'settings':
    case 'progress': {
      const { type: _, ...rest } = news;
      return rest;
    }
    case 'ready':
    case 'logged': // the tail tells it
    case 'clock':
    case 'outbox_done':
    case 'token_revoked':
    case 'due':
    case 'warning':
      return undefined;
  }
}

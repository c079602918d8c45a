// WebSocket /web, for the tabs of the web chat. Anybody may connect from this host's own page; `hello` then says who it
// is. Revoking a token closes its tabs. While draining, the host accepts no new ones.
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WEB_CHAT_LIMITS } from '../../protocol/web-chat.ts';
import { nextTurn } from '../../runtime/schedule.ts';
import type { SurfaceAct } from '../../surfaces/surface.ts';
import { attachWebSocket } from '../../transport/websocket-server.ts';
import { checkRequest } from '../security/http-guard.ts';
import { createRateLimiter, type RateLimit } from '../security/rate-limit.ts';
import { leakWordsForPerson } from '../security/refused-token.ts';
import { allows } from '../security/scopes.ts';
import type { Routes } from '../http/app.ts';
import type { ServerContext } from '../http/context.ts';
import { turnOfStranger } from '../http/first-check.ts';
import { identify } from '../http/identify.ts';
import type { HostContext } from '../kernel/context.ts';
import { withdrawFrom } from '../turn/stop.ts';
import { channelRoutes } from './channel-routes.ts';
import { webFileRoutes } from './file-routes.ts';
import type { People } from './people.ts';
import { type WebRoom, type WebDoor, openWebRoom } from './room.ts';
import { Tab, type TabDeps } from './tab.ts';
import { createUploads } from './uploads.ts';

/** What the server needs to serve the web chat. src/cli/web-chat.ts makes it. */
export interface WebChat {
  door: WebDoor;
  people: People;
}

export const WEB_RATES = {
  /** Posts, edits, reactions and other writes of one person, over all tabs. A refusal says how long to wait. */
  writes: { perMinute: 120, burst: 40, maxKeys: 10_000 },
  reads: { perMinute: 1_200, burst: 300, maxKeys: 10_000 },
  /** A search may read many rows of the log. */
  searches: { perMinute: 60, burst: 20, maxKeys: 10_000 },
  uploads: { perMinute: 30, burst: 15, maxKeys: 10_000 },
} as const satisfies Record<string, RateLimit>;

/** Tabs of people who have signed in. Others are strangers (http/strangers.ts). */
const TABS = 1_000;
const TABS_A_PERSON = 32;

export interface ServedWebChat {
  /** Accepts no new tabs and closes the open ones, which reconnect shortly. */
  close(): Promise<void>;
}

export interface PreparedWebChat {
  routes: Routes;
  /** Takes tabs at the server, once it is ready. */
  serve(server: Server): ServedWebChat;
}

/** `instance`: the id of the store, which tabs take for that of the host. */
export function prepareWebChat(context: ServerContext, web: WebChat, instance: string): PreparedWebChat {
  const { host, clock } = context;
  const { door, people } = web;
  const uploads = createUploads(clock);
  let opening: Promise<WebRoom> | undefined;
  const room = async (): Promise<WebRoom> => {
    const { clean } = context;
    const given = {
      context: host.context,
      door,
      people,
      uploads,
      clean,
      schedule: nextTurn,
      growing: host.growing,
      isConnected: (agent: string) => host.courier.connected(agent),
      withdraw: (conversation: string) => withdrawFrom(host, conversation),
      act: (surface: string, act: SurfaceAct) => host.surfaces.act(surface, act),
    };
    const trying = (opening ??= openWebRoom(given));
    try {
      return await trying;
    } catch (error) {
      if (opening === trying) opening = undefined;
      throw error;
    }
  };
  const limit = createRateLimiter(WEB_RATES.uploads, clock);
  return {
    routes(app) {
      webFileRoutes(app, context, { room, people, uploads, limit });
      channelRoutes(app, context, room);
    },
    serve(server) {
      const tabs = serveTabs(server, context, { ...web, instance }, room);
      return {
        async close() {
          await tabs.close();
          uploads.close();
          (await opening?.catch(() => undefined))?.close();
        },
      };
    },
  };
}

function serveTabs(
  server: Server,
  context: ServerContext,
  web: WebChat & { instance: string },
  room: () => Promise<WebRoom>,
): ServedWebChat {
  const { host, clock } = context;
  const { log } = host.context;
  const limits = {
    write: createRateLimiter(WEB_RATES.writes, clock),
    read: createRateLimiter(WEB_RATES.reads, clock),
    search: createRateLimiter(WEB_RATES.searches, clock),
  };
  const tabs = new Set<Tab>();
  const signIn = signInWith(context, web.people);
  const deps = {
    clock,
    schedule: nextTurn,
    room,
    instance: web.instance,
    isConnected: (agent: string) => host.courier.connected(agent),
    limits,
    shares: host.context.shares,
    draining: () => context.drain.draining,
    log,
  };
  const attached = attachWebSocket<undefined>(server, {
    clock,
    path: '/web',
    maxFrameBytes: WEB_CHAT_LIMITS.frameBytes,
    allowHost: (name) => checkRequest({ host: name, origin: undefined }, host.context.settings).ok,
    allowOrigin: (origin, request) =>
      checkRequest({ host: request.headers.host, origin }, host.context.settings).ok,
    async authenticate(request) {
      context.strangers.upgrade(request);
      await turnOfStranger(context, request);
      return { ok: true, identity: undefined };
    },
    onConnection(transport, _identity, request) {
      const tab = new Tab(transport, { ...deps, signIn: (token) => signIn(token, request) });
      tabs.add(tab);
      void tab.peer.closed.then(() => tabs.delete(tab));
      tab.peer.start().catch((error: unknown) => log.warn({ err: error }, 'a tab could not be opened'));
    },
    onError: (error) => log.warn({ err: error }, 'a tab could not be taken'),
  });
  server.on('upgrade', refuseUpgrade);
  let known = agentsAsShown(host.context);
  /** Tabs read who is there when they connect. They come back at once, with what was said meanwhile. */
  const unlisten = host.context.bus.listen((news) => {
    if (news.type !== 'settings' || known === (known = agentsAsShown(host.context))) return;
    for (const tab of tabs) tab.peer.close('going_away');
  });
  return {
    async close() {
      unlisten();
      attached.detach();
      server.off('upgrade', refuseUpgrade);
      await Promise.all([...tabs].map((tab) => tab.written()));
      for (const tab of tabs) tab.peer.close('going_away');
      await Promise.all([...tabs].map((tab) => tab.peer.closed));
    },
  };
}

/** What a greeting tells of the agents. */
function agentsAsShown({ attention }: Pick<HostContext, 'attention'>): string {
  return JSON.stringify(attention.agents.map(({ id, name, aliases, roles }) => [id, name, aliases, roles]));
}

const PATHS: ReadonlySet<string | undefined> = new Set(['/c2a', '/web']);

/** Answers upgrade requests on paths that no other listener handles. */
function refuseUpgrade({ url = '' }: IncomingMessage, stream: Duplex): void {
  if (PATHS.has(url.split('?', 1)[0])) return;
  stream.on('error', () => stream.destroy());
  stream.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
}

function signInWith(context: ServerContext, people: People) {
  const { connections } = context;
  const open = new Map<string, number>();
  let signedIn = 0;
  return async (token: string, request: IncomingMessage): ReturnType<TabDeps['signIn']> => {
    const known = await identify(context, request, token);
    if (!known.ok)
      return {
        words: 'leak' in known && known.leak !== undefined ? leakWordsForPerson(known.leak) : undefined,
      };
    const { identity } = known;
    if (identity.kind !== 'person' || !allows(identity, 'chat:web')) return { words: undefined };
    const person = await people.find(identity.subject);
    if (person === undefined) return { words: undefined };
    return {
      person,
      admit(close) {
        const count = open.get(person.id) ?? 0;
        if (count >= TABS_A_PERSON || signedIn >= TABS) return undefined;
        signedIn++;
        open.set(person.id, count + 1);
        const forget = connections.add(identity, close);
        return () => {
          forget();
          signedIn--;
          const left = (open.get(person.id) ?? 1) - 1;
          if (left === 0) open.delete(person.id);
          else open.set(person.id, left);
        };
      },
    };
  };
}

// WebSocket /web, for the tabs of the web chat. Anybody may connect from this host's own page; `hello` then says who it
// is. Revoking a token closes its tabs. While draining, the host accepts no new ones.
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WEB_CHAT_LIMITS } from '../../protocol/web-chat.ts';
import { nextTurn } from '../../runtime/schedule.ts';
import { attachWebSocket } from '../../transport/websocket-server.ts';
import { checkRequest } from '../security/http-guard.ts';
import { createRateLimiter, type RateLimit } from '../security/rate-limit.ts';
import { allows } from '../security/scopes.ts';
import type { ServerContext } from '../http/context.ts';
import type { People } from './people.ts';
import { type WebRoom, type WebDoor, openWebRoom } from './room.ts';
import { type SignedIn, Tab } from './tab.ts';

/** What the server needs to serve the web chat. src/cli/web-chat.ts makes it. */
export interface WebChat {
  door: WebDoor;
  people: People;
}

export const WEB_RATES = {
  /** Posts, edits, reactions and other writes of one person, over all tabs. A refusal says how long to wait. */
  writes: { perMinute: 120, burst: 40, maxKeys: 10_000 },
  reads: { perMinute: 1_200, burst: 300, maxKeys: 10_000 },
} as const satisfies Record<string, RateLimit>;

const TABS = 1_000;
const TABS_A_PERSON = 32;

export interface ServedWebChat {
  /** Accepts no new tabs and closes the open ones, which reconnect shortly. */
  close(): Promise<void>;
}

export function serveWebChat(server: Server, context: ServerContext, web: WebChat): ServedWebChat {
  const { host, clock, instance } = context;
  const { settings, log } = host.context;
  const { allowedHosts } = settings;
  const limits = {
    writes: createRateLimiter(WEB_RATES.writes, clock),
    reads: createRateLimiter(WEB_RATES.reads, clock),
  };
  const tabs = new Set<Tab>();
  let opening: Promise<WebRoom> | undefined;
  const room = async (): Promise<WebRoom> => {
    const { door, people } = web;
    const given = { context: host.context, door, people, clean: context.clean, schedule: nextTurn };
    const trying = (opening ??= openWebRoom(given));
    try {
      return await trying;
    } catch (error) {
      if (opening === trying) opening = undefined;
      throw error;
    }
  };
  const deps = {
    clock,
    schedule: nextTurn,
    room,
    instance,
    isConnected: (agent: string) => host.courier.connected(agent),
    signIn: signInWith(context, web.people),
    limits,
    draining: () => context.drain.draining,
    log,
  };
  const attached = attachWebSocket<undefined>(server, {
    clock,
    path: '/web',
    maxFrameBytes: WEB_CHAT_LIMITS.frameBytes,
    maxConnections: TABS,
    allowHost: (name) => checkRequest({ host: name, origin: undefined }, { allowedHosts }).ok,
    allowOrigin: (origin, request) =>
      checkRequest({ host: request.headers.host, origin }, { allowedHosts }).ok,
    authenticate: () => ({ ok: true, identity: undefined }),
    onConnection(transport) {
      const tab = new Tab(transport, deps);
      tabs.add(tab);
      void tab.peer.closed.then(() => tabs.delete(tab));
      tab.peer.start().catch((error: unknown) => log.warn({ err: error }, 'a tab could not be opened'));
    },
    onError: (error) => log.warn({ err: error }, 'a tab could not be taken'),
  });
  server.on('upgrade', refuseUpgrade);
  return {
    async close() {
      attached.detach();
      server.off('upgrade', refuseUpgrade);
      await Promise.all([...tabs].map((tab) => tab.written()));
      for (const tab of tabs) tab.peer.close('going_away');
      await Promise.all([...tabs].map((tab) => tab.peer.closed));
      (await opening?.catch(() => undefined))?.close();
    },
  };
}

const PATHS: ReadonlySet<string | undefined> = new Set(['/c2a', '/web']);

/** Answers upgrade requests on paths that no other listener handles. */
function refuseUpgrade({ url = '' }: IncomingMessage, stream: Duplex): void {
  if (PATHS.has(url.split('?', 1)[0])) return;
  stream.on('error', () => stream.destroy());
  stream.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
}

function signInWith({ tokens, connections }: ServerContext, people: People) {
  const open = new Map<string, number>();
  return async (token: string): Promise<SignedIn | undefined> => {
    const known = await tokens.authenticate(token);
    if (!known.ok || known.identity.kind !== 'person' || !allows(known.identity, 'chat:web'))
      return undefined;
    const { identity } = known;
    const person = (await people.all()).get(identity.subject);
    if (person === undefined) return undefined;
    return {
      person,
      admit(close) {
        const count = open.get(person.id) ?? 0;
        if (count >= TABS_A_PERSON) return undefined;
        open.set(person.id, count + 1);
        const forget = connections.add(identity, close);
        return () => {
          forget();
          const left = (open.get(person.id) ?? 1) - 1;
          if (left === 0) open.delete(person.id);
          else open.set(person.id, left);
        };
      },
    };
  };
}

// What a host allows before it knows a token. A stranger is a connection on which no valid token has been shown. Every
// way in counts: HTTP, both WebSockets, MCP, the page, and connections that say nothing. docs/security.md has the table.
import { WEB_CHAT_LIMITS } from '../../protocol/web-chat.ts';
import type { RateLimit } from './rate-limit.ts';

/** Addresses that are counted at a time. */
const ADDRESSES = { maxKeys: 10_000 } as const;

export const STRANGER_LIMITS = {
  /** Connections of strangers, in all and per address. One more, and the one that was quiet longest is cut. */
  connections: 1_024,
  connectionsAnAddress: 128,
  /** Connections that replace another stranger in a time, per address. Further ones wait for their turn, unread. */
  replaced: { perMinute: 6_000, burst: 100, ...ADDRESSES },
  /** The same for an address that many share. */
  sharedReplaced: { perMinute: 30_000, burst: 100, ...ADDRESSES },
  /** Connections that wait for that, in all and per address. One more, and the one that waited longest comes in. */
  waiting: 1_024,
  waitingAnAddress: 128,
  /** Bodies being read without a token: webhooks of platforms, which sign them. One more, and the oldest is cut. */
  bodies: 64,
  bodiesAnAddress: 16,
  /** A connection has so long to send a whole request head. */
  headMs: 10_000,
  /** A request without a token has so long to arrive, be answered, and its answer be read. */
  requestMs: 60_000,
  /** A WebSocket at /web has so long to say `hello`. The page's own limit comes first and closes politely. */
  helloMs: WEB_CHAT_LIMITS.helloMs + 5_000,
  /** A connection may wait so long for its next request. */
  idleMs: 15_000,
  /** The same behind an address that many share. Longer than proxies keep theirs, so that they close first. */
  sharedIdleMs: 72_000,
  /** How often the times above are looked at. */
  sweepMs: 1_000,
  /** Requests without a token, per address. More get 429, and the connection is closed. */
  requests: { perMinute: 6_000, burst: 1_000, ...ADDRESSES },
  /** The same for an address that many share. */
  sharedRequests: { perMinute: 30_000, burst: 2_000, ...ADDRESSES },
  /** Wrong tokens, per address. More get 429. A valid token is let in all the same. */
  wrongTokens: { perMinute: 60, burst: 30, ...ADDRESSES },
} as const satisfies Record<string, number | RateLimit>;

/** Connections of a host that has enough descriptors. */
const CONNECTIONS_MAX = 12_048;
/** Descriptors kept for files, calls to platforms and webhooks. */
const KEPT = 64;
const CONNECTIONS_MIN = 16;
const BACKLOG_MAX = 511;
/** A host with room for fewer connections than this says so when it starts. */
export const CONNECTIONS_WANTED = 512;

export interface Room {
  /** Connections in all. */
  connections: number;
  strangers: number;
  /** Connections of strangers that wait until they may replace another one. */
  waiting: number;
  /** Connections of those who have shown a token: strangers never take their room. */
  known: number;
  /** Connections of one token. */
  knownAToken: number;
  /** Connections that wait to be accepted. Below half of the strangers' room, so that a rush seldom fills it at once. */
  backlog: number;
}

/** How many connections fit under the process's limit of descriptors, beside what is open already. */
export function roomFor(limit: number | undefined, openNow: number): Room {
  const free = limit === undefined ? CONNECTIONS_MAX : limit - openNow;
  const kept = Math.min(KEPT, Math.floor(free / 4));
  const connections = Math.max(CONNECTIONS_MIN, Math.min(CONNECTIONS_MAX, free - kept));
  const strangers = Math.min(STRANGER_LIMITS.connections, Math.floor(connections / 4));
  const waiting = Math.min(STRANGER_LIMITS.waiting, Math.floor(connections / 8));
  const known = connections - strangers - waiting;
  const backlog = Math.min(BACKLOG_MAX, Math.max(1, Math.floor(strangers / 2) - 1));
  return { connections, strangers, waiting, known, knownAToken: Math.floor(known / 4), backlog };
}

// What every route is given: the running host, the keys to it, and the few things of the process that a request may
// ask about. Routes hold no state of their own.
import type { Clock } from '../../runtime/clock.ts';
import type { Counter, Metrics } from '../../runtime/metrics.ts';
import type { Host } from '../host.ts';
import type { TokenIdentity } from '../security/scopes.ts';
import type { Pairing } from '../security/pairing.ts';
import type { RateLimiter } from '../security/rate-limit.ts';
import type { Tokens } from '../security/tokens.ts';

export interface ServerContext {
  host: Host;
  clock: Clock;
  tokens: Tokens;
  pairing: Pairing;
  metrics: Metrics;
  /** Cuts secrets out of a text. */
  clean: (text: string) => string;
  /** Sources that may post, and the platform each is held to, if any. */
  sources: ReadonlyMap<string, { platform: string | undefined }>;
  /** Where an operator's events go when no source is named. */
  defaultSource: string;
  /** Names this process, so that a client can tell it from another one on the same port. */
  instance: string;
  /** Reachable by others: then even numbers need a token. */
  wide: boolean;
  /** The folder of the built page. */
  page?: string;
  /** Makes a backup and says where it is. */
  backup: () => Promise<string>;
  limits: { perToken: RateLimiter; perAuthor: RateLimiter };
  counts: { ingest: Counter; http: Counter };
  /** Set once the host is going down. */
  drain: Drain;
  /** Connections by token key: a revoked token's are closed. */
  connections: Connections;
}

export interface Drain {
  readonly draining: boolean;
  /** Aborted when draining begins: long polls and streams end. */
  readonly signal: AbortSignal;
}

export interface Connections {
  add(identity: TokenIdentity, close: () => void): () => void;
  closeAll(tokenKey: string): void;
}

export function createConnections(): Connections {
  const open = new Map<string, Set<() => void>>();
  return {
    add({ key }, close) {
      const closers = open.get(key) ?? new Set();
      open.set(key, closers.add(close));
      return () => {
        closers.delete(close);
        if (closers.size === 0) open.delete(key);
      };
    },
    closeAll(tokenKey) {
      for (const close of open.get(tokenKey) ?? []) close();
    },
  };
}

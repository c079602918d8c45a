// What every route gets: the running host, tokens and limits, and what a request may ask about the process. It also
// keeps the open connections, so that revoking a token can close them.
import type { Clock } from '../../runtime/clock.ts';
import type { Counter, Metrics } from '../../runtime/metrics.ts';
import type { Host } from '../host.ts';
import type { SettingsDesk } from '../operator/settings-desk.ts';
import type { TokenIdentity } from '../security/scopes.ts';
import type { Pairing } from '../security/pairing.ts';
import type { Tokens } from '../security/tokens.ts';
import type { DescriptorWatch } from './descriptor-watch.ts';
import type { Resting } from './resting.ts';
import type { Strangers } from './strangers.ts';

export interface ServerContext {
  host: Host;
  clock: Clock;
  tokens: Tokens;
  pairing: Pairing;
  metrics: Metrics;
  /** Cuts secrets out of a text. */
  clean: (text: string) => string;
  /** The sources that may post. What each may post is checked by ingest. */
  sources: ReadonlySet<string>;
  /** The source of an operator's events when the request names none. */
  defaultSource: string;
  /** The id of this process. A client tells by it whether another process now listens on the same port. */
  instance: string;
  /** True when other machines can reach this host. In that case /metrics requires a token too. */
  wide: boolean;
  /** The folder of the built page. */
  page?: string;
  /** Makes a backup and returns its path. */
  backup: () => Promise<string>;
  /** Where settings are changed; undefined in a host whose settings are a program's. */
  desk?: SettingsDesk;
  counts: { ingest: Counter; http: Counter };
  /** Says whether the host is stopping. */
  drain: Drain;
  /** Every connection, and who it is. */
  strangers: Strangers;
  /** Connections from which nothing is read for a while, because their caller asks without a pause. */
  resting: Resting;
  descriptors: DescriptorWatch;
  /** The open connections by token key. Revoking a token closes its connections. */
  connections: Connections;
}

export interface Drain {
  readonly draining: boolean;
  /** Aborted when draining begins. Long polls and streams then end. */
  readonly signal: AbortSignal;
}

export interface Connections {
  /** Returns a function that removes the connection again. */
  add(identity: TokenIdentity, close: (words?: string) => void): () => void;
  /** `words`: why, for those who can be told. */
  closeAll(tokenKey: string, words?: string): void;
}

export function createConnections(): Connections {
  const open = new Map<string, Set<(words?: string) => void>>();
  return {
    add({ key }, close) {
      const closers = open.get(key) ?? new Set();
      open.set(key, closers.add(close));
      return () => {
        closers.delete(close);
        if (closers.size === 0) open.delete(key);
      };
    },
    closeAll(tokenKey, words) {
      for (const close of open.get(tokenKey) ?? []) close(words);
    },
  };
}

// Every figure of the compose window, with its unit. An adapter knows its platform's
// length limit, an operator may prefer another pace. At each bound the window is injected as it stands and a new one
// begins: a limit decides where a turn is cut, never that something is lost.

export interface ComposeOptions {
  /** Silence after the latest fragment that ends a window. */
  quietMs: number;
  /** The same when a fragment sits near the platform's length limit: the second half of a paste is on its way. */
  nearLimitQuietMs: number;
  /** How long one sign of typing counts. */
  typingMs: number;
  /** From the first fragment to the injection at the latest, whatever happens: steady typing cannot starve a turn. */
  maxWindowMs: number;
  /** How old an ambient line of the same author may be to join the turn as current. */
  leadInMs: number;
  /** The platform's longest message. Without it no fragment is near the limit. */
  platformLimitChars: number | null;
  /** From this share of the limit on, a fragment is near it: clients split at a word, so halves come up short. */
  nearLimitShare: number;
  maxFragments: number;
  maxLeadIn: number;
  /** Windows waiting behind a running turn. One more fragment is handed back as `refused`, to be offered again. */
  maxWindows: number;
  /** Restarts once the first fragment is older than `maxWindowMs`; within it they are as free as fragments are. */
  maxLateRestarts: number;
}

export const COMPOSE_DEFAULTS: ComposeOptions = {
  quietMs: 2_000,
  nearLimitQuietMs: 4_000,
  typingMs: 8_000,
  maxWindowMs: 30_000,
  leadInMs: 30_000,
  platformLimitChars: null,
  nearLimitShare: 0.9,
  maxFragments: 50,
  maxLeadIn: 20,
  maxWindows: 64,
  maxLateRestarts: 3,
};

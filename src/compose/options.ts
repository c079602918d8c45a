// Every figure of the compose window, with its unit. An adapter knows the length limit of its platform, and an operator
// may prefer another pace. At a bound the window is injected as it is and a new one begins: nothing is lost.

export interface ComposeOptions {
  /** The window ends when nothing comes for this long after the latest fragment. */
  quietMs: number;
  /** For an author who usually goes on, the window waits as long as they need, up to so many times `quietMs`. */
  goesOnTimes: number;
  /** The same when a fragment is near the platform's length limit: the rest of a paste is probably on its way. */
  nearLimitQuietMs: number;
  /** How long one typing sign keeps the window open. */
  typingMs: number;
  /** The injection comes at most this long after the first fragment, however long the author types. */
  maxWindowMs: number;
  /** How old an ambient line of the same author may be to join the turn. */
  leadInMs: number;
  /** The platform's longest message. Without it no fragment is near the limit. */
  platformLimitChars: number | null;
  /**
   * A fragment is near the limit from this share of it on. Clients split at words, so the first half is a bit
   * shorter.
   */
  nearLimitShare: number;
  maxFragments: number;
  /** All texts of a window together. Whoever reads the joined text has a limit too. */
  maxChars: number;
  maxLeadIn: number;
  /** Windows that may wait for a running turn. A fragment that needs another one is `refused`; offer it again later. */
  maxWindows: number;
  /** Restarts after `maxWindowMs` from the first fragment. Earlier restarts are not limited. */
  maxLateRestarts: number;
}

export const COMPOSE_DEFAULTS: ComposeOptions = {
  quietMs: 2_000,
  goesOnTimes: 2.5,
  nearLimitQuietMs: 4_000,
  typingMs: 8_000,
  maxWindowMs: 30_000,
  leadInMs: 30_000,
  platformLimitChars: null,
  nearLimitShare: 0.9,
  maxFragments: 50,
  maxChars: 196_608,
  maxLeadIn: 20,
  maxWindows: 64,
  maxLateRestarts: 3,
};

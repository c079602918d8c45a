// The limits of a growing answer (growing.ts). No imports, because the agent SDK uses them too.
export const GROWING_LIMITS = {
  /** The length of a growing text. Beyond it the text stops growing; the message at the end comes whole. */
  chars: 40_000,
  /** The length of one frame. */
  frameChars: 8_000,
  /** Frames a second of one turn. One more is not taken: its text comes with the next. */
  framesPerSecond: 30,
  /** Growing texts of one agent at once. Further turns show nothing before their message. */
  perAgent: 16,
  /** A text that nobody continues for so long is taken away. It comes back when it goes on. */
  idleMs: 120_000,
} as const;

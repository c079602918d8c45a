// Every limit of the agent side with its unit. Nothing is lost silently at a limit: a delivery is refused as retryable
// (the host keeps it), a turn waits, or the prompt says what was cut and how to read it.

export const AGENT_LIMITS = {
  /** Turns running at once over all conversations. Each conversation runs one at a time. */
  concurrentTurns: 4,
  /**
   * Accepted and unsettled events, at most what `holding` takes. One more is refused as retryable; the host keeps it.
   */
  heldEvents: 1_000,
  /** Event ids remembered after their turn, to recognize a repeat. */
  rememberedEvents: 10_000,
  /** Knocks waiting for the next turn of a conversation, and digests waiting for the next turn anywhere. */
  riders: 20,
  /** A handler that takes longer has failed. Time spent waiting for the answer to a question does not count. */
  turnMs: 600_000,
  /** An answer that is ready waits at most so long after the last words, for authors who usually add something. 0: never. */
  holdMs: 30_000,
  /** A question that nobody answers ends after this with `none`. */
  askMs: 600_000,
  /** Questions in one place, the open one included. One more is not asked and ends with `none`, refused. */
  waitingAsks: 10,
  /** How long a cancelled handler may take to stop before its replacement starts anyway. */
  cancelGraceMs: 5_000,
  /** How long a granted claim waits for the body that comes with it. */
  claimBodyMs: 2_000,
  typingEveryMs: 4_000,
  /** Reconnecting: the first wait. It doubles each time up to the cap; half of it is jitter. */
  reconnectBaseMs: 500,
  reconnectCapMs: 30_000,
  requestMs: 30_000,
  /** How often a call is made that timed out or was told to try again. Lost connections do not count. */
  callAttempts: 5,
  retryMs: 500,
  /**
   * The same for the start and the end of a turn, with pauses that double up to `reconnectCapMs`: about twelve minutes. A
   * host that never hears of them keeps what the turn was about open.
   */
  turnAttempts: 30,
  /**
   * When nothing was heard from the host for so long, it is asked whether it is there, and left when it does not answer. A
   * host that says how often it pings is left after three times that.
   */
  silenceMs: 45_000,
  /** How often a turn may make the same call in a row. One more is refused: the model is going round in circles. */
  sameCalls: 5,
  /** Code points of chat in one prompt: the message itself, then the context (20 full lines). */
  messageChars: 16_000,
  contextChars: 16_100,
  contextLineChars: 800,
} as const;
export type AgentLimits = { readonly [Name in keyof typeof AGENT_LIMITS]: number };

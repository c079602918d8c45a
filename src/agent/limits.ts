// Every bound of the agent side with its unit. At a bound nothing is lost silently: a delivery is refused as retryable
// (the host keeps it), a turn waits, or the prompt says what was cut and how to read it.

export const AGENT_LIMITS = {
  /** Turns running at once, over all conversations; one at a time in each. */
  concurrentTurns: 4,
  /** Accepted and unsettled. One more is refused as retryable: the host is the inbox. At most what `holding` takes. */
  heldEvents: 1_000,
  /** Event ids remembered after their turn, so that a repeat is known as one. */
  rememberedEvents: 10_000,
  /** Knocks waiting for the next turn of one conversation, and digests for the next turn anywhere. */
  riders: 20,
  /** A handler that takes longer has failed. Waiting for the answer to a question does not count. */
  turnMs: 600_000,
  /** A question that nobody answers is over after this: `none`. */
  askMs: 600_000,
  /** Questions in one place, the open one included. One more is not asked: `none`, refused. */
  waitingAsks: 10,
  /** How long a cancelled handler may take to stop before its replacement starts all the same. */
  cancelGraceMs: 5_000,
  /** How long a granted claim waits for the body that comes with it. */
  claimBodyMs: 2_000,
  typingEveryMs: 4_000,
  /** Reconnecting: the first wait, doubled each time up to the cap, half of it jitter. */
  reconnectBaseMs: 500,
  reconnectCapMs: 30_000,
  requestMs: 30_000,
  /** A call that timed out or was told to try again. A lost connection does not count: it is waited for. */
  callAttempts: 5,
  retryMs: 500,
  /** The very same call in a row within one turn. One more is refused: the model is going round in circles. */
  sameCalls: 5,
  /** Code points of chat in one prompt: what is current, and what is context (20 full lines). */
  messageChars: 16_000,
  contextChars: 16_100,
  contextLineChars: 800,
} as const;
export type AgentLimits = { readonly [Name in keyof typeof AGENT_LIMITS]: number };

/** The author's own untargeted lines this shortly before the message are part of it. */
export const LEAD_IN_MS = 30_000;

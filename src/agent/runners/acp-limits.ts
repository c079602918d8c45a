// Every bound of the `acp` runner with its unit, and how its failures are named.

export const ACP_LIMITS = {
  /** Sessions kept, one a conversation. One more closes the one that was used least recently. */
  sessions: 32,
  /** Of an answer; the rest is left out, and the answer says so. */
  answerBytes: 32_768,
  /** One message of the agent. A longer one ends the connection: the turn fails, and the agent is started anew. */
  messageBytes: 4 * 1024 * 1024,
  /** From the start to the answer to `initialize`, and for a new session. */
  startMs: 60_000,
  /** From `session/cancel` to SIGTERM, from there to SIGKILL: together shorter than a cancelled turn is waited for. */
  cancelGraceMs: 2_500,
  killGraceMs: 1_500,
  /** How long its output is read on that something left behind keeps open after it has ended. */
  drainMs: 1_000,
  /** After it has died: the first wait, doubled each time up to the cap, until a prompt has ended well. */
  restartBaseMs: 500,
  restartCapMs: 30_000,
  /** How long a request for permission waits for an answer in chat. */
  permissionMs: 600_000,
  /** Of what is to be permitted, shown in the question. */
  permissionChars: 300,
  /** Prompts more in a turn, with what people said instead of yes or no. */
  followUps: 3,
  /** Lines in the log a turn: standard error, stray output, tool calls and plans. */
  logLines: 200,
  logLineChars: 500,
} as const;
export type AcpLimits = { readonly [Name in keyof typeof ACP_LIMITS]: number };

/** The turn has failed: the host hands its events over again, three times in all. */
export class AcpFailed extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'AcpFailed';
  }
}

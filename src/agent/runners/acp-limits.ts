// Every limit of the `acp` runner with its unit, and the error class of its failures.

export const ACP_LIMITS = {
  /** Sessions kept, one per conversation. One more closes the least recently used. */
  sessions: 32,
  /** The size of an answer. The rest is left out, and the answer says so. */
  answerBytes: 32_768,
  /** One message of the agent. A longer one ends the connection: the turn fails and the agent is started again. */
  messageBytes: 4 * 1024 * 1024,
  /** How long the agent may take to answer `initialize`, and to open a new session. */
  startMs: 60_000,
  /** How long an agent that does not answer what it does not know is waited for, once per session. */
  quietMs: 2_000,
  /** From `session/cancel` to SIGTERM, then to SIGKILL. Together shorter than a cancelled turn is waited for. */
  cancelGraceMs: 2_500,
  killGraceMs: 1_500,
  /** How long its output is read after it has exited, if a leftover child process keeps the pipe open. */
  drainMs: 1_000,
  /** The wait before a restart. It doubles each time up to the cap, until a prompt succeeds. */
  restartBaseMs: 500,
  restartCapMs: 30_000,
  /** How long a request for permission waits for an answer in chat. */
  permissionMs: 600_000,
  /** How much of each part of the requested action the question shows. */
  permissionChars: 300,
  /** How many further prompts a turn may send with what people said instead of yes or no. */
  followUps: 3,
  /** Lines in the log per turn: standard error, stray output, tool calls and plans. */
  logLines: 200,
  logLineChars: 500,
} as const;
export type AcpLimits = { readonly [Name in keyof typeof ACP_LIMITS]: number };

/** The turn has failed. The host delivers its events again, with growing pauses, for ten minutes. */
export class AcpFailed extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'AcpFailed';
  }
}

/** The agent does not know the session any more. A new one takes its place. */
export class SessionLost extends AcpFailed {}

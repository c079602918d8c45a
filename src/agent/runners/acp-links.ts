// Starts the agent's program when a turn needs it, and again after it has died. After each failure in a row it waits
// twice as long. Turns that need the program at the same time share one start.
import type { Clock } from '../../runtime/clock.ts';
import { AcpFailed, type AcpLimits } from './acp-limits.ts';
import { type AcpOrder, AcpProcess } from './acp-process.ts';
import { type AcpSession, AcpSessions, type SessionsOptions } from './acp-sessions.ts';

export interface AcpLink {
  program: AcpProcess;
  sessions: AcpSessions;
}

export interface LinksOptions {
  clock: Clock;
  limits: AcpLimits;
  order: (agent: string) => AcpOrder;
  sessions: SessionsOptions;
}

export class AcpLinks {
  readonly #options: LinksOptions;
  readonly #closing = new AbortController();
  #starting: Promise<AcpLink> | undefined;
  #link: AcpLink | undefined;
  #failures = 0;
  #notBefore = 0;

  constructor(options: LinksOptions) {
    this.#options = options;
  }

  /** Aborts when the runner is closed. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  async get(agent: string, signal: AbortSignal): Promise<AcpLink> {
    signal.throwIfAborted();
    if (this.#link?.program.isUp === true) return this.#link;
    this.#starting ??= this.#start(agent).finally(() => {
      this.#starting = undefined;
    });
    return unlessAborted(this.#starting, signal);
  }

  find(sessionId: string): AcpSession | undefined {
    return this.#link?.sessions.find(sessionId);
  }

  /** A prompt succeeded, so the next failure counts as the first again. */
  praise(): void {
    this.#failures = 0;
  }

  /** Resolves when the process is gone. A second call kills it without waiting. */
  async close(): Promise<void> {
    const again = this.closing.aborted;
    this.#closing.abort(new AcpFailed('the runner was closed'));
    await this.#starting?.catch(() => undefined);
    const program = this.#link?.program;
    if (again) program?.kill();
    program?.stop();
    await program?.gone;
  }

  async #start(agent: string): Promise<AcpLink> {
    const { clock, order, sessions } = this.#options;
    await unlessAborted(this.#link?.program.gone ?? Promise.resolve(), this.closing);
    const waitMs = this.#notBefore - clock.now();
    if (waitMs > 0) await unlessAborted(pause(clock, waitMs), this.closing);
    this.closing.throwIfAborted();
    try {
      const program = await AcpProcess.start(order(agent), this.closing);
      const link = { program, sessions: new AcpSessions(program, sessions) };
      this.#link = link;
      void program.gone.then(() => this.#failed());
      if (this.closing.aborted) program.stop();
      return link;
    } catch (error) {
      this.#failed();
      throw error;
    }
  }

  #failed(): void {
    const { clock, limits } = this.#options;
    const waitMs = Math.min(limits.restartCapMs, limits.restartBaseMs * 2 ** Math.min(this.#failures, 16));
    this.#failures += 1;
    this.#notBefore = clock.now() + waitMs;
  }
}

function pause(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(ms, resolve);
  });
}

/** Rejects when the signal aborts. The promise itself goes on. */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

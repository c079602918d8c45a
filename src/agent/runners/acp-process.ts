// One agent process and the connection to it. States: starting → ready → gone. A new process is a new object. It is
// gone when it has exited and all its output was read, no matter what came first: its exit, the end of its output, our
// stop.
import {
  type AgentCapabilities,
  client,
  type ClientContext,
  type ClientConnection,
  MessageTooLargeError,
  methods,
  PROTOCOL_VERSION,
  RequestError,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
} from '@agentclientprotocol/sdk';
import type { Clock } from '../../runtime/clock.ts';
import { VERSION } from '../../runtime/manifest.ts';
import { requestLine } from './acp-failure.ts';
import { AcpFailed, type AcpLimits } from './acp-limits.ts';
import { type FrameHooks, framesOf } from './acp-frames.ts';
import { type Child, ended, type Exit, ownGroup, signalAll, type Spawn } from './child.ts';
import { readLogLines } from './output.ts';
import { errorLine } from './redacted.ts';

export interface AcpHooks extends FrameHooks {
  onPermission(request: RequestPermissionRequest): Promise<RequestPermissionResponse>;
  onErrorLine(line: string): void;
}

export interface AcpOrder {
  command: string;
  args: readonly string[];
  env: Record<string, string>;
  cwd: string;
  clock: Clock;
  limits: AcpLimits;
  spawn: Spawn | undefined;
  hooks: AcpHooks;
}

const NOT_STARTED: Readonly<Record<string, string>> = {
  ENOENT: 'was not found: is it installed, and on the PATH?',
  EACCES: 'is not executable',
};

export class AcpProcess {
  readonly gone: Promise<void>;
  readonly #order: AcpOrder;
  readonly #child: Child;
  readonly #connection: ClientConnection;
  /** Why it is gone. */
  #why: string | undefined;
  #stopping = false;
  capabilities: AgentCapabilities = {};

  /** Resolves when the agent has answered `initialize`. Aborting before that stops the process. */
  static async start(order: AcpOrder, signal: AbortSignal): Promise<AcpProcess> {
    const { command, args, env, cwd } = order;
    let child: Child;
    try {
      child = (order.spawn ?? ownGroup)(command, args, { env, cwd });
    } catch (error) {
      throw notStarted(command, error);
    }
    if (child.pid === undefined) {
      throw await new Promise<AcpFailed>((resolve) => {
        child.once('error', (error) => resolve(notStarted(command, error)));
      });
    }
    const started = new AcpProcess(order, child);
    const onAbort = (): void => started.stop();
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    try {
      await started.#initialize();
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
    return started;
  }

  private constructor(order: AcpOrder, child: Child) {
    const { hooks, limits, command } = order;
    this.#order = order;
    this.#child = child;
    const bounds = { lines: Number.POSITIVE_INFINITY, lineChars: limits.logLineChars };
    const lastLine = readLogLines(child.stderr, bounds, (line) => hooks.onErrorLine(line));
    child.stdin.on('error', () => undefined); // its exit tells more
    this.gone = ended(child, order).then((exit) => {
      this.#why ??= `${command} ${words(exit)}${suffix(lastLine())}`;
      signalAll(child, 'SIGKILL'); // leaves none of its child processes behind
      this.#connection.close(new AcpFailed(this.#why));
    });
    this.#connection = client({ name: 'earshot' })
      .onRequest(methods.client.session.requestPermission, ({ params }) => hooks.onPermission(params))
      .connect(framesOf(child, hooks, limits));
    void this.#connection.closed.then(() => this.#mute());
  }

  get isUp(): boolean {
    return !this.#stopping && !this.#connection.signal.aborted;
  }

  /** Makes a request. If the process ends first, it throws the reason. */
  async ask<T>(request: (agent: ClientContext) => Promise<T>, timeoutMs?: number): Promise<T> {
    const { clock, command } = this.#order;
    const cancel =
      timeoutMs === undefined
        ? undefined
        : clock.after(timeoutMs, () => this.stop(`did not answer within ${timeoutMs / 1_000} s`));
    try {
      return await request(this.#connection.agent);
    } catch (error) {
      if (!this.#connection.signal.aborted) throw error;
      await this.gone;
      throw new AcpFailed(this.#why ?? `${command} is gone`, { cause: error });
    } finally {
      cancel?.();
    }
  }

  cancel(sessionId: string): void {
    this.#connection.agent.notify(methods.agent.session.cancel, { sessionId }).catch(() => undefined);
  }

  /** Sends SIGTERM to the process and all its children, and SIGKILL after a grace. */
  stop(why = 'was stopped'): void {
    if (this.#stopping) return;
    this.#stopping = true;
    const { clock, limits, command } = this.#order;
    this.#why ??= `${command} ${why}`;
    signalAll(this.#child, 'SIGTERM');
    const cancelKill = clock.after(limits.killGraceMs, () => this.kill());
    void this.gone.then(cancelKill);
  }

  kill(): void {
    signalAll(this.#child, 'SIGKILL');
  }

  /** The connection closed. The process is probably exiting and gets time to do so. */
  #mute(): void {
    const { clock, limits } = this.#order;
    const reason: unknown = this.#connection.signal.reason;
    if (reason instanceof MessageTooLargeError)
      return this.stop(`wrote a message of more than ${limits.messageBytes} bytes`);
    this.#child.stdin.end();
    const cancelStop = clock.after(limits.drainMs, () => this.stop('closed its output'));
    void this.gone.then(cancelStop);
  }

  async #initialize(): Promise<void> {
    const { command, limits } = this.#order;
    try {
      const { protocolVersion, agentCapabilities } = await this.ask(
        (agent) =>
          // We offer neither files nor terminals. The agent uses its own.
          agent.request(methods.agent.initialize, {
            protocolVersion: PROTOCOL_VERSION,
            clientInfo: { name: 'earshot', version: VERSION },
            clientCapabilities: {},
          }),
        limits.startMs,
      );
      if (protocolVersion !== PROTOCOL_VERSION)
        throw new AcpFailed(
          `${command} speaks version ${protocolVersion} of ACP, ${PROTOCOL_VERSION} is needed: install one that does`,
        );
      this.capabilities = agentCapabilities ?? {};
    } catch (error) {
      this.stop('could not be initialized');
      await this.gone;
      if (error instanceof AcpFailed) throw error;
      const why = error instanceof RequestError ? ` (${requestLine(error)})` : '';
      throw new AcpFailed(`${command} refused to be initialized${why}: is it an ACP agent?`, {
        cause: error,
      });
    }
  }
}

function notStarted(command: string, error: unknown): AcpFailed {
  if (!(error instanceof Error)) throw error;
  const code = (error as NodeJS.ErrnoException).code ?? error.message;
  return new AcpFailed(`${command} ${NOT_STARTED[code] ?? `could not be started (${code})`}`);
}

function words({ code, signal }: Exit): string {
  return code === null ? `was ended by ${signal ?? 'a signal'}` : `exited with ${code}`;
}

function suffix(line: string): string {
  return line === '' ? '' : `: ${errorLine(line)}`;
}

// Opens the connection to the host, initializes it and keeps it. States: connecting → ready → waiting (back-off) →
// connecting …, and closed for good. Only a refused token or a newer session of the same agent closes it, unless that may
// be a session that this one asked for and had no answer; after anything else it reconnects. Calls survive a lost connection: each is idempotent by its key and made again on the
// next one.
import type { Cancel, Clock } from '../runtime/clock.ts';
import type { Random } from '../runtime/random.ts';
import { createPeer, type Peer } from '../transport/peer.ts';
import type { OnNotification, RequestOutcome, RpcHandler, RpcHandlers } from '../transport/requests.ts';
import type { CloseReason, Transport } from '../transport/transport.ts';
import type { AgentLog } from './agent-deps.ts';
import type { AgentLimits } from './limits.ts';
import { type AgentIdentity, UNKNOWN_IDENTITY } from './prefix.ts';
import { readIdentity, readIds, record, string } from './read-event.ts';

export type SessionStatus = 'connecting' | 'ready' | 'waiting' | 'closed';

export interface SessionOptions {
  open: () => Transport | Promise<Transport>;
  clock: Clock;
  random: Random;
  limits: AgentLimits;
  log: AgentLog;
  /** The agent that the token must belong to. */
  agent: string | undefined;
  handlers: RpcHandlers;
  onNotification: OnNotification;
  /** What `initialize` says besides the version. Asked at every connection. */
  hello: () => { capabilities: object; holding: string[] };
  /** Called after `initialize`, before any delivery. Drop the `superseded` events unanswered. */
  onReady: (superseded: string[]) => void;
}

export type CallOutcome =
  | { ok: true; result: unknown }
  | { ok: false; why: 'refused' | 'unknown' | 'cancelled' | 'closed'; message: string };

/** After these reasons, trying again is useless. */
const FINAL: ReadonlySet<CloseReason> = new Set(['unauthorized', 'fenced']);
const PROTOCOL_VERSION = '2026-06-02';
/** A host may still open a session for so long after nobody waits for it any more: so long it waits for its database. */
const LATE_MS = 60_000;

export class AgentSession {
  readonly closed: Promise<CloseReason>;
  readonly #options: SessionOptions;
  readonly #end: (reason: CloseReason) => void;
  #status: SessionStatus = 'connecting';
  #agent = '';
  #identity = UNKNOWN_IDENTITY;
  #peer: Peer | undefined;
  #failures = 0;
  #waiters: (() => void)[] = [];
  #heardAt = 0;
  #patience: Patience;
  #nextCheck: Cancel | undefined;
  /** Until then a newer session may be one of our own, which was asked for and not waited for. */
  #ownUntil = 0;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#patience = patienceOf(undefined, options.limits);
    const { promise, resolve } = Promise.withResolvers<CloseReason>();
    this.closed = promise;
    this.#end = resolve;
  }

  get status(): SessionStatus {
    return this.#status;
  }
  /** The agent id that the host reports, such as `lead`. */
  get agent(): string {
    return this.#agent;
  }

  /** Who the agent is, as the host says. */
  get identity(): AgentIdentity {
    return this.#identity;
  }

  start(): void {
    this.#connect().catch((error: unknown) => this.#lost('lost', error));
  }

  close(reason: CloseReason = 'normal'): void {
    if (this.#status === 'closed') return;
    this.#status = 'closed';
    this.#nextCheck?.();
    this.#peer?.close(reason);
    this.#wake();
    this.#end(reason);
  }

  notify(method: string, params: object): void {
    if (this.#status === 'ready') this.#peer?.notify(method, params);
  }

  /**
   * Makes the call once, on this connection. A refusal is no error here: its answer is empty. Undefined: no answer, or
   * one that says to ask again.
   */
  async once(method: string, params: object, signal: AbortSignal): Promise<unknown> {
    if (this.#status !== 'ready' || signal.aborted) return undefined;
    const { requestMs: timeoutMs } = this.#options.limits;
    const outcome = await this.#peer?.request(method, params, { timeoutMs, signal });
    if (outcome === undefined) return undefined;
    if (outcome.ok) return outcome.result;
    return settled(outcome) === undefined ? undefined : {};
  }

  /** Repeats the call until it is answered, on the next connection if needed. */
  async call(method: string, params: object, signal?: AbortSignal): Promise<CallOutcome> {
    const { limits } = this.#options;
    for (let attempt = 1; ; ) {
      await this.#ready(signal);
      if (signal?.aborted === true) return { ok: false, why: 'cancelled', message: 'the turn was cancelled' };
      if (this.#status === 'closed') return { ok: false, why: 'closed', message: 'the session is closed' };
      if (this.#peer === undefined) continue; // the connection was lost just now
      // A cancelled turn does not wait for its calls, and the host is told to stop them.
      const stops = signal === undefined ? {} : { signal };
      const outcome = await this.#peer.request(method, params, { timeoutMs: limits.requestMs, ...stops });
      const told = settled(outcome);
      if (told !== undefined) return told;
      // A lost connection is waited for without limit. A host that does not answer is asked a few times.
      if (outcome.ok || outcome.kind === 'closed' || outcome.kind === 'cancelled') continue;
      const { times, pauseMs } = patience(method, limits, attempt);
      if (attempt++ >= times) return { ok: false, why: 'unknown', message: 'the host does not answer' };
      await this.#pause(pauseMs);
    }
  }

  async #connect(): Promise<void> {
    const { open, clock, handlers, onNotification, log } = this.#options;
    if (this.#status === 'closed') return;
    this.#status = 'connecting';
    const transport = await open();
    // Somebody has closed the session meanwhile.
    if (this.status === 'closed') return transport.close();
    let lastError: Error | undefined;
    const peer = createPeer(transport, {
      clock,
      handlers: this.#heardIn(handlers),
      onNotification,
      onError: (error) => {
        lastError = error;
        log.debug({ err: error }, 'a frame could not be handled');
      },
    });
    this.#peer = peer;
    void peer.closed.then((reason) => {
      if (this.#peer === peer) this.#lost(reason, lastError);
    });
    try {
      await peer.start();
    } catch {
      return; // `closed` reports why
    }
    await this.#initialize(peer);
  }

  async #initialize(peer: Peer): Promise<void> {
    const { hello, limits, agent, log, onReady } = this.#options;
    const params = {
      protocolVersion: PROTOCOL_VERSION,
      clientInfo: { name: 'earshot-agent' },
      ...hello(),
    };
    const outcome = await peer.request('initialize', params, { timeoutMs: limits.requestMs });
    if (!outcome.ok) {
      if (outcome.kind === 'timeout' || outcome.kind === 'closed')
        this.#ownUntil = this.#options.clock.now() + LATE_MS;
      if (outcome.kind === 'error')
        log.error({ error: outcome.error.message }, 'the host refused the session');
      return peer.close(outcome.kind === 'error' ? 'protocol_error' : 'lost');
    }
    const result = record(outcome.result);
    const told = string(result['agent'])?.replace(/^agent:/, '') ?? '';
    if (agent !== undefined && told !== '' && told !== agent) {
      log.error({ expected: agent, token: told }, 'the token is for another agent');
      return this.close('unauthorized');
    }
    this.#agent = told === '' ? (agent ?? '') : told;
    this.#identity = readIdentity(result['identity']);
    this.#failures = 0;
    this.#status = 'ready';
    onReady(readIds(result['superseded']));
    peer.notify('notifications/initialized', {});
    this.#heardAt = this.#options.clock.now();
    this.#patience = patienceOf(result['heartbeatMs'], limits);
    this.#listenForSilence(peer);
    this.#wake();
  }

  /** Every request of the host is a sign of life. It pings, so there is one every few seconds. */
  #heardIn(handlers: RpcHandlers): RpcHandlers {
    const heard = Object.entries(handlers).map(([method, run]): [string, RpcHandler] => [
      method,
      (params, call) => {
        this.#heardAt = this.#options.clock.now();
        return run(params, call);
      },
    ]);
    return Object.fromEntries(heard);
  }

  /**
   * A connection may be half open: the host is gone, or stands still, and nobody says so. Whoever only waits for
   * deliveries would wait for ever, so a silent host is asked, and left when it does not answer.
   */
  #listenForSilence(peer: Peer): void {
    const { clock } = this.#options;
    const { silenceMs } = this.#patience;
    const waitMs = Math.max(0, this.#heardAt + silenceMs - clock.now());
    this.#nextCheck = clock.after(waitMs, () => {
      if (this.#peer !== peer) return;
      if (clock.now() - this.#heardAt < silenceMs) this.#listenForSilence(peer);
      else this.#ask(peer, 1);
    });
  }

  #ask(peer: Peer, times: number): void {
    const { clock } = this.#options;
    const { answerMs, asks } = this.#patience;
    const askedAt = clock.now();
    void peer.request('ping', {}, { timeoutMs: answerMs }).then((outcome) => {
      if (this.#peer !== peer || peer.isClosed) return;
      const isSilent = !outcome.ok && outcome.kind === 'timeout' && this.#heardAt <= askedAt;
      if (isSilent && times >= asks) return peer.close('lost');
      if (isSilent) return this.#ask(peer, times + 1);
      this.#heardAt = clock.now();
      this.#listenForSilence(peer);
    });
  }

  #lost(reason: CloseReason, cause?: unknown): void {
    const { clock, random, limits, log } = this.#options;
    if (this.#status === 'closed') return;
    this.#peer = undefined;
    this.#nextCheck?.();
    const isOwn = reason === 'fenced' && clock.now() < this.#ownUntil;
    if (isOwn) this.#ownUntil = 0;
    if (FINAL.has(reason) && !isOwn) {
      log.error(
        { reason, ...(cause instanceof Error && { said: cause.message }) },
        reason === 'fenced' ? 'a newer session of this agent took over' : 'the token was refused',
      );
      this.close(reason);
      return;
    }
    this.#status = 'waiting';
    const full = Math.min(
      limits.reconnectCapMs,
      limits.reconnectBaseMs * 2 ** Math.min(this.#failures++, 16),
    );
    const waitMs = full / 2 + (full / 2) * random.next();
    log.warn({ reason, waitMs: Math.round(waitMs), err: cause }, 'not connected; trying again');
    clock.after(waitMs, () => this.start());
  }

  async #ready(signal: AbortSignal | undefined): Promise<void> {
    while (this.#status === 'connecting' || this.#status === 'waiting') {
      if (signal?.aborted === true) return;
      await new Promise<void>((resolve) => {
        this.#waiters.push(resolve);
        signal?.addEventListener('abort', () => resolve(), { once: true });
      });
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#options.clock.after(ms, resolve);
    });
  }

  #wake(): void {
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const resolve of waiters) resolve();
  }
}

/** How often a call is made, and the pause after this attempt. */
function patience(method: string, limits: AgentLimits, attempt: number): { times: number; pauseMs: number } {
  if (!method.startsWith('turn/')) return { times: limits.callAttempts, pauseMs: limits.retryMs };
  const pauseMs = Math.min(limits.reconnectCapMs, limits.retryMs * 2 ** (attempt - 1));
  return { times: limits.turnAttempts, pauseMs };
}

/** Undefined means: ask again. */
function settled(outcome: RequestOutcome): CallOutcome | undefined {
  if (outcome.ok) return { ok: true, result: outcome.result };
  if (outcome.kind === 'error') {
    if (record(outcome.error.data)['retryable'] === true) return undefined;
    return { ok: false, why: 'refused', message: outcome.error.message };
  }
  if (outcome.kind !== 'not_sent' || outcome.error.data.retryable) return undefined;
  return { ok: false, why: 'refused', message: outcome.error.message };
}

/** How long a silent host is waited for, how often it is asked then, and how long each time. */
interface Patience {
  silenceMs: number;
  asks: number;
  answerMs: number;
}

/** In heartbeats: the silence, and the time for each of two answers. Together three. */
const BEATS = { silent: 1.5, answer: 0.75, asks: 2 } as const;

/** `heartbeatMs`: what the host says of it, if anything. */
function patienceOf(heartbeatMs: unknown, { silenceMs, requestMs }: AgentLimits): Patience {
  if (typeof heartbeatMs !== 'number' || !(heartbeatMs > 0))
    return { silenceMs, asks: 1, answerMs: requestMs };
  return {
    silenceMs: Math.min(silenceMs, BEATS.silent * heartbeatMs),
    asks: BEATS.asks,
    answerMs: Math.min(requestMs, BEATS.answer * heartbeatMs),
  };
}

// JSON-RPC over a Transport, the same for host and harness: our requests resolve to outcomes, theirs go to handlers.
// Invariants: `request` always resolves, once, and never rejects; closing resolves every open request; a peer that does
// not read is not read from, and cut in the end, so that it never fills our memory.
import {
  decode,
  encodeError,
  encodeNotification,
  encodeRequest,
  type RpcMessage,
  type RpcParams,
  type RpcResponse,
} from '../protocol/jsonrpc.ts';
import type { Clock } from '../runtime/clock.ts';
import {
  Dispatcher,
  type DispatchOptions,
  type RpcHandlers,
  type OnNotification,
  type RequestOutcome,
  type RequestOptions,
  tooLarge,
  tooManyPending,
  PendingRequests,
} from './requests.ts';
import {
  isLargerThan,
  type CloseReason,
  FrameTooLarge,
  listen,
  TRANSPORT_LIMITS,
  type Transport,
  TransportClosed,
} from './transport.ts';

export const PEER_LIMITS = {
  /** Our requests without an answer. One more is `not_sent`. */
  pending: 1_024,
  /** Their requests being handled. One more is answered `rate_limited`. */
  concurrent: 1_024,
  requestMs: 30_000,
  /** With more bytes of answers than this unread, nothing is read from the other side until it has read them. */
  pauseBytes: TRANSPORT_LIMITS.bufferedBytes,
  /** With more bytes than this unread, the other side counts as gone. */
  unreadBytes: 4 * TRANSPORT_LIMITS.bufferedBytes,
} as const;
const RETRY_AFTER_MS = 100;
export type PeerLimits = { readonly [Name in keyof typeof PEER_LIMITS]: number };

export interface PeerOptions {
  clock: Clock;
  handlers?: RpcHandlers;
  onNotification?: OnNotification;
  onClose?: (reason: CloseReason) => void;
  /** For the log: a problem that did not close the connection, such as a handler that threw or an unreadable frame. */
  onError?: (error: Error) => void;
  answerTo?: DispatchOptions['answerTo'];
  limits?: Partial<PeerLimits>;
}

export interface Peer {
  /** Connects and begins to dispatch. Rejects with TransportClosed. */
  start(): Promise<void>;
  request(method: string, params?: RpcParams, options?: RequestOptions): Promise<RequestOutcome>;
  /** False when it could not be sent: the connection is closed, or it is too large. */
  notify(method: string, params?: RpcParams): boolean;
  close(reason?: CloseReason, words?: string): void;
  /** Resolves with the reason, never rejects. */
  readonly closed: Promise<CloseReason>;
  readonly isClosed: boolean;
  /** Bytes not yet handed to the operating system. Above TRANSPORT_LIMITS.bufferedBytes, wait before sending more. */
  readonly buffered: number;
  /** Our requests that they have not answered, and their requests that we have not answered. */
  readonly pending: number;
  readonly serving: number;
}

export function createPeer(transport: Transport, options: PeerOptions): Peer {
  return new JsonRpcPeer(transport, options);
}

class JsonRpcPeer implements Peer {
  readonly closed: Promise<CloseReason>;
  readonly #transport: Transport;
  readonly #limits: PeerLimits;
  readonly #dispatcher: Dispatcher;
  readonly #onError: (error: Error) => void;
  readonly #pending: PendingRequests;
  #lastId = 0;
  #closeReason: CloseReason | undefined;

  constructor(transport: Transport, options: PeerOptions) {
    const { handlers = {}, onNotification, onError = ignore } = options;
    const { promise, resolve } = Promise.withResolvers<CloseReason>();
    this.closed = promise;
    this.#transport = transport;
    this.#pending = new PendingRequests(options.clock);
    this.#limits = { ...PEER_LIMITS, ...options.limits };
    this.#onError = onError;
    this.#dispatcher = new Dispatcher({
      handlers,
      ...(onNotification === undefined ? {} : { onNotification }),
      onError,
      answerTo: options.answerTo,
      frameBytes: TRANSPORT_LIMITS.frameBytes,
      concurrent: this.#limits.concurrent,
    });
    listen(transport, {
      onmessage: (frame) => this.#received(frame),
      onerror: onError,
      onclose: (reason) => {
        this.#ended(reason);
        resolve(reason);
        options.onClose?.(reason);
      },
    });
  }

  start(): Promise<void> {
    return this.#transport.start();
  }

  request(method: string, params?: RpcParams, options: RequestOptions = {}): Promise<RequestOutcome> {
    const { timeoutMs = this.#limits.requestMs, signal, onSent } = options;
    if (signal?.aborted === true) return Promise.resolve({ ok: false, kind: 'cancelled' });
    if (this.#pending.size >= this.#limits.pending) return Promise.resolve(tooManyPending(RETRY_AFTER_MS));
    const id = String(++this.#lastId);
    const refused = this.#take(encodeRequest(id, method, params));
    if (refused !== undefined) return Promise.resolve(refused);
    onSent?.(id);
    return this.#pending.add(id, timeoutMs, signal && this.#onAbort(id, signal));
  }

  notify(method: string, params?: RpcParams): boolean {
    if (this.#take(encodeNotification(method, params)) !== undefined) return false;
    if (this.#transport.buffered > this.#limits.pauseBytes) this.#transport.holdBack?.();
    return true;
  }

  close(reason?: CloseReason, words?: string): void {
    this.#transport.close(reason, words);
  }

  get isClosed(): boolean {
    return this.#closeReason !== undefined;
  }
  get buffered(): number {
    return this.#transport.buffered;
  }
  get pending(): number {
    return this.#pending.size;
  }
  get serving(): number {
    return this.#dispatcher.serving;
  }

  /** Undefined when the transport took the frame. */
  #take(frame: string): RequestOutcome | undefined {
    try {
      this.#transport.send(frame);
      return undefined;
    } catch (error) {
      if (error instanceof TransportClosed) return { ok: false, kind: 'closed', reason: error.reason };
      if (!(error instanceof FrameTooLarge)) throw error;
      return tooLarge(error.limitBytes);
    }
  }

  #onAbort(id: string, signal: AbortSignal): () => void {
    const listener = (): void => {
      this.#pending.settle(id, { ok: false, kind: 'cancelled' });
      this.notify('notifications/cancelled', { requestId: id });
    };
    signal.addEventListener('abort', listener, { once: true });
    return () => signal.removeEventListener('abort', listener);
  }

  #received(frame: string): void {
    const decoded = decode(frame);
    if (!decoded.ok) {
      const { id, error } = decoded.refusal;
      this.#reply(encodeError(id, error));
      return;
    }
    if (decoded.batch) {
      this.#batch(
        decoded.messages,
        decoded.refusals.map(({ id, error }) => encodeError(id, error)),
      );
      return;
    }
    for (const message of decoded.messages) {
      const answer = this.#dispatch(message);
      if (typeof answer === 'string') this.#reply(answer);
      else if (answer !== undefined) this.#replyLater(answer);
    }
  }

  #dispatch(message: RpcMessage): string | Promise<string> | undefined {
    switch (message.kind) {
      case 'request':
        return this.#dispatcher.request(message);
      case 'notification':
        this.#dispatcher.notification(message);
        return undefined;
      case 'response':
        this.#answered(message);
        return undefined;
    }
  }

  /** Ignores an id that is not pending: the request timed out, was cancelled, or was never ours. */
  #answered(response: RpcResponse): void {
    if (typeof response.id === 'string') {
      if (response.ok)
        this.#pending.settle(response.id, { ok: true, kind: 'result', result: response.result });
      else this.#pending.settle(response.id, { ok: false, kind: 'error', error: response.error });
    } else if (!response.ok) {
      this.#onError(new Error(`the peer could not read a frame: ${response.error.message}`));
    }
  }

  /** Answers as one batch, or one by one if the batch would exceed a frame. */
  #batch(messages: readonly RpcMessage[], refused: string[]): void {
    const answers = messages
      .map((message) => this.#dispatch(message))
      .filter((answer) => answer !== undefined);
    if (answers.length + refused.length === 0) return;
    const send = (texts: string[]): void => {
      const whole = `[${[...texts, ...refused].join(',')}]`;
      if (isLargerThan(whole, TRANSPORT_LIMITS.frameBytes))
        [...texts, ...refused].forEach((t) => this.#reply(t));
      else this.#reply(whole);
    };
    Promise.all(answers.map((answer) => Promise.resolve(answer))).then(send, this.#onError);
  }

  #replyLater(answer: Promise<string>): void {
    answer.then((text) => this.#reply(text), this.#onError);
  }

  #reply(frame: string): void {
    if (this.#take(frame) !== undefined) return;
    if (this.#transport.buffered > this.#limits.pauseBytes) this.#transport.holdBack?.();
    if (this.#transport.buffered > this.#limits.unreadBytes) {
      this.#onError(new Error(`the peer leaves ${this.#transport.buffered} bytes unread: it is cut`));
      this.#transport.close('lost');
    }
  }

  #ended(reason: CloseReason): void {
    this.#closeReason = reason;
    this.#pending.settleAll({ ok: false, kind: 'closed', reason });
    this.#dispatcher.abort();
  }
}

function ignore(): void {}

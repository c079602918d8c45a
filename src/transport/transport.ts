// The transport port: three verbs and three callbacks that know neither host nor agent. A frame is one JSON-RPC text. A
// transport keeps frames whole and in order and reports when it closes. Flow control is `buffered`: a caller that sees
// it grow stops sending, so one slow reader never fills the memory. `FrameTransport` is the life cycle that all
// transports share.

export interface Transport {
  /** Connects if needed, then delivers frames. Set the callbacks first. Rejects with TransportClosed. */
  start(): Promise<void>;
  /** Takes the frame or throws TransportClosed or FrameTooLarge. A frame that was taken may still be lost. */
  send(frame: string): void;
  /**
   * Idempotent. `onclose` follows once, and no frame after it. `lost` cuts at once and drops what is buffered. `words`
   * tell the other side why, where the transport can: there they are an error before `onclose`.
   */
  close(reason?: CloseReason, words?: string): void;
  /** Bytes that were taken but not yet handed to the operating system. */
  readonly buffered: number;
  /**
   * Reads no frame until everything that was taken has been handed to the operating system, so that a side that does not
   * read cannot go on asking. It closes with `lost` when nothing moves for TRANSPORT_LIMITS.stalledMs.
   */
  holdBack?(): void;
  onmessage: (frame: string) => void;
  onclose: (reason: CloseReason) => void;
  /** Reports a problem that did not close the transport by itself: a frame too large, text that is not UTF-8. */
  onerror: (error: Error) => void;
}

export type TransportCallbacks = Pick<Transport, 'onmessage' | 'onclose' | 'onerror'>;

/** Sets the given callbacks and keeps the others. */
export function listen(transport: Transport, callbacks: Partial<TransportCallbacks>): void {
  Object.assign(transport, callbacks);
}

export type CloseReason =
  | 'normal'
  | 'fenced'
  | 'unauthorized'
  | 'protocol_error'
  | 'too_large'
  | 'going_away'
  | 'lost';

export class TransportClosed extends Error {
  readonly reason: CloseReason;

  constructor(reason: CloseReason = 'lost', cause?: unknown) {
    super(`the transport is closed (${reason}): reconnect and resume`, cause === undefined ? {} : { cause });
    this.name = 'TransportClosed';
    this.reason = reason;
  }
}

/** Thrown before anything was sent. The transport stays open. */
export class FrameTooLarge extends Error {
  readonly limitBytes: number;

  constructor(limitBytes: number) {
    super(`the frame is larger than ${limitBytes} bytes: shorten or split it`);
    this.name = 'FrameTooLarge';
    this.limitBytes = limitBytes;
  }
}

export const TRANSPORT_LIMITS = {
  /** A larger frame closes the connection with `too_large`. */
  frameBytes: 1_048_576,
  /** Above this, a sender waits until `buffered` falls. */
  bufferedBytes: 4_194_304,
  /** How long the other side has to answer a close before the connection is cut. */
  closeMs: 5_000,
  /** A connection that is held back and takes no byte for so long is cut. */
  stalledMs: 30_000,
  /** How long a connection may take to open. */
  connectMs: 10_000,
} as const;

/**
 * The life of a transport: idle -> open -> closing -> closed, only forwards. Invariants: no frame reaches `onmessage`
 * before start or after close; `onclose` is called exactly once; the first reason given wins. If the other side closes
 * an idle transport, `onclose` waits for `start`, because only then are the callbacks set.
 */
export abstract class FrameTransport implements Transport {
  onmessage: (frame: string) => void = ignore;
  onclose: (reason: CloseReason) => void = ignore;
  onerror: (error: Error) => void = ignore;
  abstract readonly buffered: number;

  readonly #frameBytes: number;
  #phase: 'idle' | 'open' | 'closing' | 'closed' = 'idle';
  #reason: CloseReason | undefined;
  #told = false;
  #wasOpen = false;
  #starting: Promise<void> | undefined;
  #lastError: Error | undefined;

  constructor(frameBytes: number = TRANSPORT_LIMITS.frameBytes) {
    this.#frameBytes = frameBytes;
  }

  /** Opens the connection if it is not open yet. */
  protected abstract open(): Promise<void>;
  /** Writes one frame. Its size was checked. */
  protected abstract write(frame: string): void;
  /** Closes politely, or cuts when the reason is `lost`. The implementation then calls `ended`. */
  protected abstract shut(reason: CloseReason, words?: string): void;

  get isOpen(): boolean {
    return this.#phase === 'open';
  }
  get isEnding(): boolean {
    return this.#phase === 'closing' || this.#phase === 'closed';
  }

  start(): Promise<void> {
    this.#starting ??= this.#start();
    return this.#starting;
  }

  send(frame: string): void {
    if (this.#phase !== 'open') throw new TransportClosed(this.#reason);
    if (isLargerThan(frame, this.#frameBytes)) throw new FrameTooLarge(this.#frameBytes);
    this.write(frame);
  }

  close(reason: CloseReason = 'normal', words?: string): void {
    if (this.isEnding) return;
    this.#phase = 'closing';
    this.#reason = reason;
    this.shut(reason, words);
  }

  /** The implementation calls this when it is ready to send. */
  protected opened(): void {
    if (this.#phase !== 'idle') return;
    this.#phase = 'open';
    this.#wasOpen = true;
  }

  /** The implementation calls this with each frame. A frame that is too large closes the connection. */
  protected received(frame: string): void {
    if (this.#phase !== 'open') return;
    if (isLargerThan(frame, this.#frameBytes)) {
      this.failed(new FrameTooLarge(this.#frameBytes));
      this.close('too_large');
      return;
    }
    this.onmessage(frame);
  }

  /** The implementation calls this when the connection is over. Safe to call twice. */
  protected ended(reason: CloseReason): void {
    if (this.#phase === 'closed') return;
    const hold = this.#phase === 'idle';
    this.#phase = 'closed';
    this.#reason ??= reason;
    if (!hold) this.#tell();
  }

  /** The other side broke the rules and the connection is closing by itself. No more frames pass. */
  protected doomed(reason: CloseReason): void {
    if (this.#phase !== 'open') return;
    this.#phase = 'closing';
    this.#reason = reason;
  }

  /** Reports a problem. The implementation decides whether it also closes. */
  protected failed(error: Error): void {
    this.#lastError = error;
    this.onerror(error);
  }

  async #start(): Promise<void> {
    try {
      if (this.#phase === 'idle') await this.open();
    } catch (error) {
      // For instance an invalid address. Whoever waits for `onclose` must hear of it too.
      this.failed(error instanceof Error ? error : new Error('it does not open', { cause: error }));
      this.ended('lost');
    }
    if (this.#phase === 'closed') this.#tell();
    if (!this.#wasOpen) throw new TransportClosed(this.#reason, this.#lastError);
  }

  #tell(): void {
    if (this.#told) return;
    this.#told = true;
    this.onclose(this.#reason ?? 'lost');
  }
}

/** A UTF-16 unit is at most three bytes of UTF-8, so most frames need not be encoded to be measured. */
export function isLargerThan(frame: string, limitBytes: number): boolean {
  if (frame.length > limitBytes) return true;
  return frame.length * 3 > limitBytes && ENCODER.encode(frame).length > limitBytes;
}

const ENCODER = new TextEncoder();
function ignore(): void {}

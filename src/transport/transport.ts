// The transport port: three verbs and three callbacks, ignorant of host and agent. A frame is one JSON-RPC text; the
// transport keeps frames whole and in order, and says when it is gone. Flow control is `buffered`: a caller that sees
// it grow stops sending, so that one slow reader never grows the process.

export interface Transport {
  /** Connects if need be and begins to deliver frames; callbacks are set before. Rejects with TransportClosed. */
  start(): Promise<void>;
  /** Takes the frame or throws TransportClosed or FrameTooLarge; taking it is no promise that it arrives. */
  send(frame: string): void;
  /** Idempotent; `onclose` follows once, no frame after it. `lost` cuts without a farewell, what is buffered is gone. */
  close(reason?: CloseReason): void;
  /** Bytes taken and not yet handed to the operating system. */
  readonly buffered: number;
  onmessage: (frame: string) => void;
  onclose: (reason: CloseReason) => void;
  /** Something went wrong that did not end it by itself: a frame too large, text that is not UTF-8. */
  onerror: (error: Error) => void;
}

export type TransportCallbacks = Pick<Transport, 'onmessage' | 'onclose' | 'onerror'>;

/** Sets callbacks; what is not named stays as it is. */
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

/** Refused before anything was sent; the transport stays open. */
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
  /** Above this a sender waits for `buffered` to fall. */
  bufferedBytes: 4_194_304,
  /** How long the other side has to answer a close before the connection is cut. */
  closeMs: 5_000,
  /** How long a connection may take to open. */
  connectMs: 10_000,
} as const;

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

  /** Opens what is not open yet. */
  protected abstract open(): Promise<void>;
  /** Hands on one frame, whose size was checked. */
  protected abstract write(frame: string): void;
  /** Says farewell, or cuts when the reason is `lost`; `ended` follows. */
  protected abstract shut(reason: CloseReason): void;

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

  close(reason: CloseReason = 'normal'): void {
    if (this.isEnding) return;
    this.#phase = 'closing';
    this.#reason = reason;
    this.shut(reason);
  }

  /** The implementation is ready to send: frames flow from here on. */
  protected opened(): void {
    if (this.#phase !== 'idle') return;
    this.#phase = 'open';
    this.#wasOpen = true;
  }

  /** A frame came in. What is too large ends the connection, as the sender was told it would. */
  protected received(frame: string): void {
    if (this.#phase !== 'open') return;
    if (isLargerThan(frame, this.#frameBytes)) {
      this.failed(new FrameTooLarge(this.#frameBytes));
      this.close('too_large');
      return;
    }
    this.onmessage(frame);
  }

  /** Nothing goes through any more, for whatever reason; safe to call twice. */
  protected ended(reason: CloseReason): void {
    if (this.#phase === 'closed') return;
    const hold = this.#phase === 'idle';
    this.#phase = 'closed';
    this.#reason ??= reason;
    if (!hold) this.#tell();
  }

  /** The other side broke the rules: the connection is ending by itself, and nothing more goes through. */
  protected doomed(reason: CloseReason): void {
    if (this.#phase !== 'open') return;
    this.#phase = 'closing';
    this.#reason = reason;
  }

  /** Something went wrong; whether that ends it is the implementation's to say. */
  protected failed(error: Error): void {
    this.#lastError = error;
    this.onerror(error);
  }

  async #start(): Promise<void> {
    try {
      if (this.#phase === 'idle') await this.open();
    } catch (error) {
      // An address that is none, say. Whoever waits for `onclose` must hear of it too.
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

/** A UTF-16 unit is at most three bytes of UTF-8, so most frames need no counting. */
export function isLargerThan(frame: string, limitBytes: number): boolean {
  if (frame.length > limitBytes) return true;
  return frame.length * 3 > limitBytes && ENCODER.encode(frame).length > limitBytes;
}

const ENCODER = new TextEncoder();
function ignore(): void {}

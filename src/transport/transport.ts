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

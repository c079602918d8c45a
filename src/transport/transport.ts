// The transport port: three verbs and three callbacks, ignorant of host and agent. A frame is one JSON-RPC text; the
// transport keeps frames whole and in order, and says when it is gone. Flow control is `buffered`: a caller that sees
// it grow stops sending, so that one slow reader never grows the process.

export interface Transport {
  /** Begins to deliver frames; callbacks are set before. */
  start(): Promise<void>;
  /** Takes the frame or throws TransportClosed; taking it is no promise that it arrives. */
  send(frame: string): void;
  /** Idempotent; `onclose` follows once. */
  close(code?: CloseReason): void;
  /** Bytes taken and not yet handed to the operating system. */
  readonly buffered: number;
  onmessage: (frame: string) => void;
  onclose: (reason: CloseReason) => void;
  /** Something went wrong that did not end it by itself: a frame too large, text that is not UTF-8. */
  onerror: (error: Error) => void;
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
  constructor() {
    super('the transport is closed: reconnect and resume');
    this.name = 'TransportClosed';
  }
}

export const TRANSPORT_LIMITS = {
  /** A larger frame closes the connection with `too_large`. */
  frameBytes: 1_048_576,
  /** Above this a sender waits for `buffered` to fall. */
  bufferedBytes: 4_194_304,
} as const;

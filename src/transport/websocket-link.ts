// One WebSocket of the `ws` package as a Transport: the server's side of every connection, and the client's side if
// `ws` was passed in. Only the type is imported, so that a client with the global WebSocket never loads the package.
// All sends within one microtask turn become one write: with 64 frames per turn 390,000 to 750,000 frames/s on loopback
// instead of 85,000 to 190,000, with one frame the same (2 cores, both ends in one process). The protocol's own `ping`
// checks whether the other side is alive.
import type { Duplex } from 'node:stream';
import type { RawData, WebSocket } from 'ws';
import type { Cancel, Clock } from '../runtime/clock.ts';
import { FrameTransport, type CloseReason, TRANSPORT_LIMITS } from './transport.ts';
import { closeCode, closeReason, closeWords } from './websocket-codes.ts';

export interface LinkOptions {
  clock: Clock;
  frameBytes?: number;
  closeMs?: number;
  /** Used only for a socket that is still connecting. */
  connectMs?: number;
  /**
   * Asks the other end so often whether it is there, with a ping of the WebSocket. It is lost when it has not answered three
   * times. For whoever passes frames on without reading them, and so does not know the protocol's own pings.
   */
  aliveMs?: number;
}

const CONNECTING = 0;
const ASKED_MAX = 3;
const TEXT = { binary: false, compress: false };

export class WebSocketLink extends FrameTransport {
  readonly #connect: () => WebSocket;
  readonly #options: LinkOptions;
  #socket: WebSocket | undefined;
  /** The connection under the socket. */
  #stream: Duplex | undefined;
  #corked = false;
  #cancelTimer: Cancel | undefined;
  #endReason: CloseReason | undefined;
  #cancelStall: Cancel | undefined;
  #cancelAsk: Cancel | undefined;
  /** Pings in a row without an answer. */
  #unanswered = 0;

  /** Takes an open socket with its stream, or a function that makes a socket at start. */
  constructor(
    from: { socket: WebSocket; stream: Duplex } | { connect: () => WebSocket },
    options: LinkOptions,
  ) {
    super(options.frameBytes);
    this.#options = options;
    this.#connect = 'connect' in from ? from.connect : () => from.socket;
    if ('connect' in from) return;
    this.#stream = from.stream;
    this.#attach(from.socket);
    // Nothing is read before start. Frames wait in the kernel's buffer.
    from.socket.pause();
  }

  get buffered(): number {
    return this.#socket?.bufferedAmount ?? 0;
  }

  holdBack(): void {
    const [socket, stream] = [this.#socket, this.#stream];
    if (this.#cancelStall !== undefined || socket === undefined || stream === undefined || !this.isOpen)
      return;
    // Without it nothing waits to be taken, and no `drain` would come.
    if (!stream.writableNeedDrain) return;
    socket.pause();
    this.#watchStall();
    stream.once('drain', () => {
      this.#endStall();
      if (this.isOpen) socket.resume();
    });
  }

  #watchStall(): void {
    const before = this.buffered;
    this.#cancelStall = this.#options.clock.after(TRANSPORT_LIMITS.stalledMs, () => {
      if (this.buffered < before) return this.#watchStall();
      this.failed(new Error(`${this.buffered} bytes were not read in ${TRANSPORT_LIMITS.stalledMs} ms`));
      this.close('lost');
    });
  }

  #askIfAlive(socket: WebSocket): void {
    const { clock, aliveMs } = this.#options;
    if (aliveMs === undefined) return;
    this.#cancelAsk = clock.after(aliveMs, () => {
      if (this.#unanswered >= ASKED_MAX) {
        this.failed(new Error(`nothing was heard for ${ASKED_MAX * aliveMs} ms`));
        return this.close('lost');
      }
      this.#unanswered++;
      socket.ping();
      this.#askIfAlive(socket);
    });
  }

  #endStall(): void {
    this.#cancelStall?.();
    this.#cancelStall = undefined;
  }

  protected open(): Promise<void> {
    if (this.#socket !== undefined) {
      this.opened();
      this.#socket.resume();
      return Promise.resolve();
    }
    const { clock, connectMs = TRANSPORT_LIMITS.connectMs } = this.#options;
    const { promise, resolve } = Promise.withResolvers<void>();
    const socket = this.#connect();
    this.#attach(socket);
    this.#cancelTimer = clock.after(connectMs, () => {
      this.failed(new Error(`no connection within ${connectMs} ms`));
      this.close('lost');
    });
    socket.on('upgrade', (response) => {
      this.#stream = response.socket;
    });
    socket.on('unexpected-response', (_, response) => {
      this.#endReason = REFUSALS[response.statusCode ?? 0] ?? 'lost';
      this.failed(new Error(`the server answered ${response.statusCode ?? 'nothing'} instead of upgrading`));
      socket.terminate();
    });
    socket.on('open', () => {
      this.#cancelTimer?.();
      this.opened();
      this.#askIfAlive(socket);
      resolve();
    });
    socket.on('pong', () => {
      this.#unanswered = 0;
    });
    socket.on('close', () => resolve());
    return promise;
  }

  protected write(frame: string): void {
    if (!this.#corked && this.#stream !== undefined) this.#cork(this.#stream);
    this.#socket?.send(frame, TEXT);
  }

  protected shut(reason: CloseReason, words?: string): void {
    const socket = this.#socket;
    if (socket === undefined) this.ended(reason);
    else if (reason === 'lost' || socket.readyState === CONNECTING) socket.terminate();
    else {
      socket.resume();
      socket.close(closeCode(reason), closeWords(words));
      this.#awaitClose(socket);
    }
  }

  #attach(socket: WebSocket): void {
    this.#socket = socket;
    socket.on('message', (data, isBinary) => this.#message(data, isBinary));
    socket.on('error', (error: Error & { code?: string }) => {
      // After our own close or a refused upgrade this error tells nothing new.
      if (this.isEnding || this.#endReason !== undefined) return;
      this.#endReason = failureReason(error.code);
      this.failed(error);
      if (!this.isOpen) return;
      // `ws` has sent its own close code. The socket closes by itself, at the latest by the timer.
      this.doomed(this.#endReason);
      this.#awaitClose(socket);
    });
    socket.on('close', (code, words) => {
      this.#cancelTimer?.();
      this.#cancelAsk?.();
      this.#endStall();
      if (words.length > 0 && !this.isEnding) this.failed(new Error(words.toString()));
      this.ended(this.#endReason ?? closeReason(code));
    });
  }

  /** `ws` itself would wait 30 s, on its own clock. */
  #awaitClose(socket: WebSocket): void {
    this.#cancelTimer?.();
    const { clock, closeMs = TRANSPORT_LIMITS.closeMs } = this.#options;
    this.#cancelTimer = clock.after(closeMs, () => socket.terminate());
  }

  #cork(stream: Duplex): void {
    this.#corked = true;
    stream.cork();
    queueMicrotask(() => {
      this.#corked = false;
      stream.uncork();
    });
  }

  #message(data: RawData, isBinary: boolean): void {
    if (!this.isOpen) return;
    // `binaryType` is left at `nodebuffer`, so a message is one Buffer.
    if (!isBinary && data instanceof Buffer) {
      this.received(data.toString());
      return;
    }
    this.failed(new Error('a binary frame came in: send JSON-RPC as text'));
    this.close('protocol_error');
  }
}

/** What an HTTP answer instead of an upgrade means. */
const REFUSALS: Readonly<Record<number, CloseReason>> = {
  401: 'unauthorized',
  403: 'unauthorized',
  503: 'going_away',
};

function failureReason(code = ''): CloseReason {
  if (code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH') return 'too_large';
  return code.startsWith('WS_ERR_') ? 'protocol_error' : 'lost';
}

// The client's side of a WebSocket connection. It uses the global WebSocket of Node, Bun and browsers, which loads no
// package, or the `ws` package if that is passed in. `ws` can send the token as a header and can tell a refused token
// from a lost connection before the handshake. A transport that has closed cannot be opened again.
import type { WebSocket as WsWebSocket } from 'ws';
import type { Cancel, Clock } from '../runtime/clock.ts';
import { FrameTransport, type CloseReason, TRANSPORT_LIMITS, type Transport } from './transport.ts';
import { closeCode, closeReason, SUBPROTOCOL, TOKEN_PREFIX } from './websocket-codes.ts';
import { WebSocketLink } from './websocket-link.ts';

export interface WebSocketClientOptions {
  /** ws: or wss:. http: and https: work too. */
  url: string;
  clock: Clock;
  token?: string;
  /** The WebSocket class of the `ws` package. The global one if left out. */
  ws?: typeof WsWebSocket;
  connectMs?: number;
  closeMs?: number;
  /** With `ws` only: asks so often whether the other end is there. Silent three times, it is lost. */
  aliveMs?: number;
}

export function webSocketClient(options: WebSocketClientOptions): Transport {
  const { url, token, ws } = options;
  if (ws === undefined) {
    const protocols = token === undefined ? [SUBPROTOCOL] : [SUBPROTOCOL, `${TOKEN_PREFIX}${checked(token)}`];
    return new GlobalWebSocket(options, protocols);
  }
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const maxPayload = TRANSPORT_LIMITS.frameBytes;
  const connect = (): WsWebSocket =>
    new ws(url, [SUBPROTOCOL], { headers, maxPayload, perMessageDeflate: false });
  return new WebSocketLink({ connect }, options);
}

class GlobalWebSocket extends FrameTransport {
  readonly #options: WebSocketClientOptions;
  readonly #protocols: string[];
  #socket: WebSocket | undefined;
  #cancelTimer: Cancel | undefined;

  constructor(options: WebSocketClientOptions, protocols: string[]) {
    super();
    this.#options = options;
    this.#protocols = protocols;
  }

  get buffered(): number {
    return this.#socket?.bufferedAmount ?? 0;
  }

  protected open(): Promise<void> {
    const { clock, url, connectMs = TRANSPORT_LIMITS.connectMs } = this.#options;
    const { promise, resolve } = Promise.withResolvers<void>();
    const socket = new WebSocket(url, this.#protocols);
    this.#socket = socket;
    socket.binaryType = 'arraybuffer';
    this.#cancelTimer = clock.after(connectMs, () => {
      this.failed(new Error(`no connection to ${url} within ${connectMs} ms`));
      this.close('lost');
      resolve();
    });
    socket.addEventListener('open', () => {
      this.#cancelTimer?.();
      this.opened();
      resolve();
    });
    socket.addEventListener('message', ({ data }: { data: unknown }) => this.#message(data));
    socket.addEventListener('error', (event) => this.failed(new Error(lostWords(url, event))));
    socket.addEventListener('close', ({ code, reason: words }) => {
      if (words !== '' && !this.isEnding) this.failed(new Error(words));
      this.#end(closeReason(code));
      resolve();
    });
    return promise;
  }

  protected write(frame: string): void {
    this.#socket?.send(frame);
  }

  protected shut(reason: CloseReason): void {
    this.#cancelTimer?.();
    this.#socket?.close(closeCode(reason));
    // This API cannot cut a connection, so for `lost` we only stop listening.
    if (reason === 'lost' || this.#socket === undefined) this.#end(reason);
    else {
      const { clock, closeMs = TRANSPORT_LIMITS.closeMs } = this.#options;
      this.#cancelTimer = clock.after(closeMs, () => this.#end(reason));
    }
  }

  #message(data: unknown): void {
    if (!this.isOpen) return;
    if (typeof data === 'string') {
      this.received(data);
      return;
    }
    this.failed(new Error('a binary frame came in: send JSON-RPC as text'));
    this.close('protocol_error');
  }

  #end(reason: CloseReason): void {
    this.#cancelTimer?.();
    this.ended(reason);
  }
}

/** A subprotocol may contain only letters, digits and a few signs (it is an HTTP token). */
function checked(token: string): string {
  if (/^[\w!#$%&'*+.^`|~-]+$/.test(token)) return token;
  throw new TypeError(
    'this token has characters that no WebSocket subprotocol may have; use a base64url token',
  );
}

/** Node says why in the event, browsers do not. */
function lostWords(url: string, event: Event): string {
  const { message = '', error } = event as { message?: string; error?: { cause?: { code?: string } } };
  const why = error?.cause?.code ?? message;
  return `no connection to ${url}${why === '' ? '' : ` (${why})`}: is a host running there?`;
}

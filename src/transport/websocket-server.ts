// Turns an HTTP server's upgrade requests into connections. It checks path, Host, Origin, the number of connections and
// the token before the handshake, so that a stranger costs one HTTP answer. One exception: a client that offers `c2a`
// and fails authentication gets a close code, because a browser cannot read the status of a refused upgrade.
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Clock } from '../runtime/clock.ts';
import { TRANSPORT_LIMITS, type Transport } from './transport.ts';
import { SUBPROTOCOL, TOKEN_PREFIX } from './websocket-codes.ts';
import { WebSocketLink } from './websocket-link.ts';

export type Authentication<Identity> =
  | { ok: true; identity: Identity }
  | {
      ok: false;
      problem?: string;
      /** Refuses the upgrade with this status, also to a client that offers `c2a`. */
      status?: 429 | 503;
    };

export interface WebSocketServerOptions<Identity> {
  clock: Clock;
  path: string;
  /** `token` is the bearer token of the Authorization header, or the one offered as a subprotocol. */
  authenticate: (
    request: IncomingMessage,
    token: string | undefined,
  ) => Authentication<Identity> | Promise<Authentication<Identity>>;
  /** Called with an idle transport. Set its callbacks, then start it. */
  onConnection: (transport: Transport, identity: Identity, request: IncomingMessage) => void;
  onError?: (error: Error) => void;
  /** Default: allows a missing Origin (not a browser) and the Origin of this host. */
  allowOrigin?: (origin: string | undefined, request: IncomingMessage) => boolean;
  /**
   * Default: a connection over loopback must name a loopback host, against DNS rebinding. Any other host is allowed.
   */
  allowHost?: (host: string, request: IncomingMessage) => boolean;
  maxFrameBytes?: number;
  maxConnections?: number;
  closeMs?: number;
}

export interface AttachedWebSocket {
  readonly connections: number;
  /** Accepts no new connections. Open ones stay until their transports close. */
  detach(): void;
}

const MAX_CONNECTIONS = 10_000;
interface Refusal {
  status: number;
  text: string;
}

const UNAVAILABLE: Refusal = { status: 503, text: 'No connection can be taken now. Try again later.' };

export function attachWebSocket<Identity>(
  server: Server,
  options: WebSocketServerOptions<Identity>,
): AttachedWebSocket {
  const sockets = new WebSocketServer({
    noServer: true,
    clientTracking: true,
    maxPayload: options.maxFrameBytes ?? TRANSPORT_LIMITS.frameBytes,
    perMessageDeflate: false,
    handleProtocols: (offered) => (offered.has(SUBPROTOCOL) ? SUBPROTOCOL : false),
  });
  const onError = options.onError ?? ignore;

  const admit = async (request: IncomingMessage, stream: Duplex, head: Buffer): Promise<void> => {
    const refusal = checkRequest(request, options, sockets.clients.size);
    if (refusal !== undefined) return refuse(stream, refusal);
    const cancelTimer = options.clock.after(TRANSPORT_LIMITS.connectMs, () => refuse(stream, UNAVAILABLE));
    const outcome = await authenticated(request, options).finally(cancelTimer);
    if (stream.destroyed || stream.writableEnded) return;
    if (!outcome.ok && (outcome.status !== undefined || !offers(request).includes(SUBPROTOCOL))) {
      const { status = 401, problem: text = 'The token is missing or not valid.' } = outcome;
      return refuse(stream, { status, text });
    }
    sockets.handleUpgrade(request, stream, head, (socket) => {
      const transport = link(socket, stream, options);
      if (outcome.ok)
        introduce(transport, () => options.onConnection(transport, outcome.identity, request), onError);
      else transport.close('unauthorized', outcome.problem);
    });
  };
  const onUpgrade = (request: IncomingMessage, stream: Duplex, head: Buffer): void => {
    if (pathOf(request) !== options.path) {
      // Another listener may handle this path. If there is none, we answer.
      if (server.listenerCount('upgrade') === 1) refuse(stream, { status: 404, text: 'No WebSocket here.' });
      return;
    }
    stream.on('error', ignore);
    admit(request, stream, head).catch((error: unknown) => {
      onError(new Error('a connection could not be admitted', { cause: error }));
      refuse(stream, { status: 500, text: 'The connection could not be admitted.' });
    });
  };
  server.on('upgrade', onUpgrade);
  return {
    get connections() {
      return sockets.clients.size;
    },
    detach() {
      server.off('upgrade', onUpgrade);
    },
  };
}

function link<I>(socket: WebSocket, stream: Duplex, options: WebSocketServerOptions<I>): WebSocketLink {
  const { clock, closeMs, maxFrameBytes } = options;
  return new WebSocketLink(
    { socket, stream },
    {
      clock,
      ...(maxFrameBytes === undefined ? {} : { frameBytes: maxFrameBytes }),
      ...(closeMs === undefined ? {} : { closeMs }),
    },
  );
}

async function authenticated<I>(
  request: IncomingMessage,
  { authenticate }: WebSocketServerOptions<I>,
): Promise<Authentication<I>> {
  return authenticate(request, bearerTokenOf(request));
}

/** The stream speaks WebSocket by now, so a failure closes the connection instead of answering with HTTP. */
function introduce(transport: Transport, run: () => void, onError: (error: Error) => void): void {
  try {
    run();
  } catch (error) {
    onError(new Error('a connection could not be taken over', { cause: error }));
    transport.close('going_away');
  }
}

function checkRequest<I>(
  request: IncomingMessage,
  options: WebSocketServerOptions<I>,
  connections: number,
): Refusal | undefined {
  const { allowHost = isExpectedHost, allowOrigin = isSameOrigin } = options;
  if (!allowHost(request.headers.host ?? '', request)) {
    return { status: 403, text: 'This Host is not allowed here.' };
  }
  if (!allowOrigin(request.headers.origin, request)) {
    return { status: 403, text: 'This Origin is not allowed here.' };
  }
  if (connections >= (options.maxConnections ?? MAX_CONNECTIONS)) {
    return UNAVAILABLE;
  }
  return undefined;
}

/** The bearer token of a request, from its header or its subprotocols. */
export function bearerTokenOf(request: IncomingMessage): string | undefined {
  const [, header] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
  if (header !== undefined) return header;
  return offers(request)
    .find((offer) => offer.startsWith(TOKEN_PREFIX))
    ?.slice(TOKEN_PREFIX.length);
}

function offers(request: IncomingMessage): string[] {
  return (request.headers['sec-websocket-protocol'] ?? '').split(',').map((offer) => offer.trim());
}

function pathOf(request: IncomingMessage): string {
  return (request.url ?? '').split('?', 1)[0] ?? '';
}

const LOOPBACK_NAME = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;
const LOOPBACK_ADDRESS = /^(?:::ffff:)?127\.|^::1$/;

export function isExpectedHost(host: string, request: IncomingMessage): boolean {
  return !LOOPBACK_ADDRESS.test(request.socket.localAddress ?? '') || LOOPBACK_NAME.test(host);
}

export function isSameOrigin(origin: string | undefined, request: IncomingMessage): boolean {
  if (origin === undefined) return true;
  const host = URL.parse(origin)?.host;
  return host !== undefined && host === request.headers.host?.toLowerCase();
}

function refuse(stream: Duplex, { status, text }: Refusal): void {
  if (stream.destroyed || stream.writableEnded) return;
  stream.on('error', ignore);
  const head = `HTTP/1.1 ${status} ${STATUS[status] ?? 'Error'}\r\nConnection: close\r\nContent-Type: text/plain`;
  stream.end(`${head}\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`, () => stream.destroy());
}

const STATUS: Readonly<Record<number, string>> = {
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};
function ignore(): void {}

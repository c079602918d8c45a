// The first checks on an HTTP request: its Host and Origin headers, and the form of its bearer token. They hold on
// loopback too, because a web page can point a name of its own at 127.0.0.1 (DNS rebinding) or simply post there.
// Also decides on which addresses the host may listen. What the token may do is checked later (scopes.ts).
import { isIPv4 } from 'node:net';
import { JSONRPC_LIMITS } from '../../protocol/jsonrpc.ts';
import { WIRE_LIMITS } from '../../protocol/wire-fields.ts';

export const BODY_LIMITS = {
  /** The body of one `POST /v1/events`: a full batch of usual events, or a few of the largest. */
  eventsBytes: 1_048_576,
  eventsPerBatch: WIRE_LIMITS.batchEvents,
  /** One JSON-RPC message on any transport. */
  rpcBytes: JSONRPC_LIMITS.frameBytes,
  /** A platform's webhook. */
  webhookBytes: 1_048_576,
  /** Anything else. */
  otherBytes: 65_536,
  tokenChars: 256,
} as const;

export interface GuardedRequest {
  host: string | undefined;
  origin: string | undefined;
}
export type Guarded = { ok: true } | { ok: false; status: 400 | 403 | 421; message: string };

export interface AllowedHosts {
  /** The names under which this host is reached, besides loopback. */
  allowedHosts?: readonly string[];
}

/** A request without an Origin comes from no web page but from a harness or curl. It still needs a token. */
export function checkRequest(request: GuardedRequest, { allowedHosts = [] }: AllowedHosts = {}): Guarded {
  const host = parseHost(request.host);
  if (host === undefined)
    return { ok: false, status: 400, message: 'The Host header is missing or malformed.' };
  const named = allowedHosts.some((entry) => parseHost(entry)?.name === host.name);
  if (!named && !isLoopback(host.name)) {
    const message = `This host does not answer to the name in the Host header. Call it by localhost, or add that name to "allowedHosts" in earshot.yaml.`;
    return { ok: false, status: 421, message };
  }
  if (request.origin === undefined || isOwnOrigin(request.origin, host)) return { ok: true };
  if (isNamedOrigin(request.origin, allowedHosts)) return { ok: true };
  const message =
    'Pages of another origin may not call this host. If it is this host behind a proxy, add the name in its address, with its port if it has one, to "allowedHosts" in earshot.yaml.';
  return { ok: false, status: 403, message };
}

/**
 * True for the page behind a proxy that puts its own Host header in place of the browser's, as nginx does. The operator has
 * named it, with its port if that is not the usual one.
 */
function isNamedOrigin(origin: string, allowedHosts: readonly string[]): boolean {
  const match = /^https?:\/\/(.{1,260})$/i.exec(origin);
  const page = parseHost(match?.[1]);
  return allowedHosts.some((entry) => {
    const named = parseHost(entry);
    return page !== undefined && named?.name === page.name && named.port === page.port;
  });
}

interface HostHeader {
  name: string;
  port: string;
}

/** Matches names, addresses and ports only. A URL parser could read a user, a path or an escape as another host. */
const HOST = /^(?<name>\[[0-9a-f:.]{2,45}\]|[a-z0-9_](?:[a-z0-9_.-]{0,252}))(?::(?<port>\d{1,5}))?$/i;

function parseHost(header: string | undefined): HostHeader | undefined {
  const { name, port } = (header === undefined ? null : HOST.exec(header))?.groups ?? {};
  return name === undefined ? undefined : { name: name.toLowerCase().replace(/\.$/, ''), port: port ?? '' };
}

/** True for this host's own page: same name, same port. A proxy in front may use either scheme. */
function isOwnOrigin(origin: string, host: HostHeader): boolean {
  const match = /^(https?):\/\/(.{1,260})$/i.exec(origin);
  const page = parseHost(match?.[2]);
  if (page === undefined) return false;
  const usual = match?.[1]?.toLowerCase() === 'https' ? '443' : '80';
  return page.name === host.name && (page.port || usual) === (host.port || usual);
}

export function isLoopback(name: string): boolean {
  if (name === 'localhost' || name === '[::1]' || name === '::1') return true;
  return isIPv4(name) && name.startsWith('127.');
}

export type Listen = { ok: true; wide: boolean } | { ok: false; message: string };

/** Allows loopback always, and any other address only when a token exists that keeps strangers out. */
export function checkListen(asked: { host: string; tokensExist: boolean }): Listen {
  if (isLoopback(asked.host.toLowerCase())) return { ok: true, wide: false };
  if (asked.tokensExist) return { ok: true, wide: true };
  const message =
    `Not listening on ${asked.host}: others could reach it and there is no token to keep them out. ` +
    'Make one with "earshot token create", or listen on 127.0.0.1.';
  return { ok: false, message };
}

/** The bearer token of a request; undefined when there is none or it cannot be a token. Header names are lower case. */
export function bearerOf(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): string | undefined {
  const header = headers['authorization'];
  if (typeof header !== 'string' || header.length > BODY_LIMITS.tokenChars) return undefined;
  return /^bearer +([\w.~+/-]+=*) *$/i.exec(header)?.[1];
}

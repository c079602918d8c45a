// What is checked of an HTTP request before anything reads it: Host and Origin, on loopback too, because a web page
// can point a name of its own at 127.0.0.1 (DNS rebinding) or simply post there; the bearer token; and where the host
// may listen at all. The token's own rights come after this.
import { isIPv4 } from 'node:net';
import { JSONRPC_LIMITS } from '../../protocol/jsonrpc.ts';
import { WIRE_LIMITS } from '../../protocol/wire-fields.ts';

export const BODY_LIMITS = {
  /** One `POST /v1/events`: so many events, or a few of the largest. */
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

export interface Allowed {
  /** Names this host is reached by, besides loopback. */
  allowedHosts?: readonly string[];
}

/** No Origin means no web page: a harness or curl, which needs its token all the same. */
export function checkRequest(request: GuardedRequest, { allowedHosts = [] }: Allowed = {}): Guarded {
  const host = parseHost(request.host);
  if (host === undefined)
    return { ok: false, status: 400, message: 'The Host header is missing or malformed.' };
  const named = allowedHosts.some((name) => name.toLowerCase() === host.name);
  if (!named && !isLoopback(host.name)) {
    const message = `This host does not answer to the name in the Host header. Call it by localhost, or add that name to "allowedHosts" in earshot.yaml.`;
    return { ok: false, status: 421, message };
  }
  if (request.origin === undefined || isOwnOrigin(request.origin, host)) return { ok: true };
  const message =
    'Pages of another origin may not call this host. Open the page from this host, or serve both behind one proxy.';
  return { ok: false, status: 403, message };
}

interface Host {
  name: string;
  port: string;
}

/** Only names, addresses and ports: no user, path or escape that a URL parser would make something else of. */
const HOST = /^(?<name>\[[0-9a-f:.]{2,45}\]|[a-z0-9_](?:[a-z0-9_.-]{0,252}))(?::(?<port>\d{1,5}))?$/i;

function parseHost(header: string | undefined): Host | undefined {
  const { name, port } = (header === undefined ? null : HOST.exec(header))?.groups ?? {};
  return name === undefined ? undefined : { name: name.toLowerCase().replace(/\.$/, ''), port: port ?? '' };
}

/** Its own page: same name and port, whichever scheme a proxy in front speaks. */
function isOwnOrigin(origin: string, host: Host): boolean {
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

/** Loopback unless told otherwise, and never wider without a token to keep strangers out. */
export function checkListen(asked: { host: string; tokensExist: boolean }): Listen {
  if (isLoopback(asked.host.toLowerCase())) return { ok: true, wide: false };
  if (asked.tokensExist) return { ok: true, wide: true };
  const message =
    `Not listening on ${asked.host}: others could reach it and there is no token to keep them out. ` +
    'Make one with "earshot token create", or listen on 127.0.0.1.';
  return { ok: false, message };
}

/** Node gives header names in lower case. Undefined: none, or not one that could be a token. */
export function bearerOf(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): string | undefined {
  const header = headers['authorization'];
  if (typeof header !== 'string' || header.length > BODY_LIMITS.tokenChars) return undefined;
  return /^bearer +([\w.~+/-]+=*) *$/i.exec(header)?.[1];
}

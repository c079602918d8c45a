// Runs tool calls on a host in another process and reports turns to it, over `POST /c2a`. The model always gets a result: the host's answer,
// or a refusal that says what to do when the host is gone, is slow, or does not know the token.
import { isWireErrorName, type WireError, wireError } from '../../protocol/errors.ts';
import type { RpcParams } from '../../protocol/jsonrpc.ts';
import { METHODS } from '../../protocol/methods.ts';
import { VERSION_HEADER } from '../../protocol/initialize.ts';
import type { ToolName } from '../../protocol/tool-name.ts';
import { type ToolCallResult, toolCallResultSchema, toolRefusal } from '../../protocol/tool.ts';
import type { ProtocolVersion } from '../../protocol/vocabulary.ts';
import type { Clock } from '../../runtime/clock.ts';
import { type HttpClient, httpClient } from '../../transport/http-client.ts';
import type { RequestOutcome } from '../../transport/requests.ts';
import { PERMISSION_LIMITS } from '../tools/permission.ts';
import type { Arguments } from './call-keys.ts';
import type { HostPort } from './host-port.ts';

export interface RemoteHost {
  /** The address of the endpoint, such as `http://127.0.0.1:7575/c2a`. */
  url: string;
  token: string;
}

export interface RemoteOptions {
  /** Asked for each call, because a restarted host may listen elsewhere. Undefined while no host runs. */
  host: () => RemoteHost | undefined;
  clock: Clock;
  /** Called with a message when a call did not reach the host or got no usable answer. */
  onTrouble: (message: string) => void;
  fetch?: typeof fetch;
}

export function remoteCaller({ host, clock, onTrouble, fetch: fetchIt }: RemoteOptions): HostPort {
  return {
    async call(name, args, { signal }) {
      const result = await callHost(name, args, signal);
      if ('problem' in result) onTrouble(`${name}: ${result.problem.message}`);
      return 'problem' in result ? toolRefusal(result.problem) : result;
    },
    async startTurn(turnId, eventIds, signal) {
      const read = STARTED.safeParse(await report('turn/started', { turnId, eventIds }, signal));
      return read.success
        ? { ...read.data, superseded: read.data.superseded ?? [], seen: read.data.seen ?? [] }
        : undefined;
    },
    async endTurn(turnId, outcome, signal) {
      await report('turn/ended', { turnId, outcome }, signal);
    },
  };

  async function report(method: string, params: RpcParams, signal: AbortSignal): Promise<unknown> {
    const outcome = await clientOf(host())?.request(method, params, { signal });
    if (outcome?.ok === true) return outcome.result;
    if (outcome?.kind === 'error') onTrouble(`${method}: ${outcome.error.message}`);
    return undefined;
  }

  async function callHost(name: ToolName, args: Arguments, signal: AbortSignal): Promise<RemoteResult> {
    const at = host();
    const client = clientOf(at);
    if (at === undefined || client === undefined)
      return { problem: wireError('unavailable', { what: 'The Earshot host' }) };
    const patience = PATIENCE_MS[name];
    const timing = patience === undefined ? { signal } : { signal, timeoutMs: patience };
    return resultOf(await client.request('tools/call', { name, arguments: args }, timing), at.url);
  }

  function clientOf(at: RemoteHost | undefined): HttpClient | undefined {
    if (at === undefined) return undefined;
    const headers = { [VERSION_HEADER]: MODEL_VERSION };
    return httpClient({ ...at, clock, headers, ...(fetchIt === undefined ? {} : { fetch: fetchIt }) });
  }
}

const STARTED = METHODS['turn/started'].result;

/** Calls that the host answers later than others. */
const PATIENCE_MS: Partial<Record<ToolName, number>> = {
  'chat.ask_permission': PERMISSION_LIMITS.answerMs + 30_000,
};

/** A model reads the short event, whatever other clients of the agent have agreed to. */
const MODEL_VERSION: ProtocolVersion = '2026-06-24';

type RemoteResult = ToolCallResult | { problem: WireError };

function resultOf(outcome: RequestOutcome, url: string): RemoteResult {
  if (outcome.ok) {
    const read = toolCallResultSchema.safeParse(outcome.result);
    return read.success ? read.data : { problem: wireError('internal') };
  }
  switch (outcome.kind) {
    case 'error': {
      const { code, message, data } = outcome.error;
      return { problem: asWireError(data) ? { code, message, data } : wireError('internal') };
    }
    case 'not_sent':
      return { problem: outcome.error };
    case 'closed':
      return {
        problem: outcome.reason === 'unauthorized' ? wireError('unauthorized') : unreachable(url),
      };
    case 'timeout':
    case 'cancelled':
      return { problem: unreachable(url) };
  }
}

function asWireError(data: unknown): data is WireError['data'] {
  const { name, retryable } = (data ?? {}) as Partial<WireError['data']>;
  return typeof name === 'string' && isWireErrorName(name) && typeof retryable === 'boolean';
}

function unreachable(url: string): WireError {
  return wireError('unavailable', { what: `The Earshot host at ${new URL(url).origin}` });
}

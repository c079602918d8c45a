// Runs tool calls on a host in another process, over `POST /c2a`. The model always gets a result: the host's answer,
// or a refusal that says what to do when the host is gone, is slow, or does not know the token.
import { isWireErrorName, type WireError, wireError } from '../../protocol/errors.ts';
import { VERSION_HEADER } from '../../protocol/initialize.ts';
import type { ToolName } from '../../protocol/tool-name.ts';
import { type ToolCallResult, toolCallResultSchema, toolRefusal } from '../../protocol/tool.ts';
import type { ProtocolVersion } from '../../protocol/vocabulary.ts';
import type { Clock } from '../../runtime/clock.ts';
import { httpClient } from '../../transport/http-client.ts';
import type { RequestOutcome } from '../../transport/requests.ts';
import type { Arguments } from './call-keys.ts';
import type { RunToolCall } from './mcp-server.ts';

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

export function remoteCaller({ host, clock, onTrouble, fetch: fetchIt }: RemoteOptions): RunToolCall {
  return async (name, args, { signal }) => {
    const result = await callHost(name, args, signal);
    if ('problem' in result) onTrouble(`${name}: ${result.problem.message}`);
    return 'problem' in result ? toolRefusal(result.problem) : result;
  };

  async function callHost(name: ToolName, args: Arguments, signal: AbortSignal): Promise<RemoteResult> {
    const at = host();
    if (at === undefined) return { problem: wireError('unavailable', { what: 'The Earshot host' }) };
    const headers = { [VERSION_HEADER]: MODEL_VERSION };
    const client = httpClient({
      ...at,
      clock,
      headers,
      ...(fetchIt === undefined ? {} : { fetch: fetchIt }),
    });
    return resultOf(await client.request('tools/call', { name, arguments: args }, { signal }), at.url);
  }
}

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

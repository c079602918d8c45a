// Why a call failed, in words for the person at the keyboard: the host refused, or the connection ended before it
// answered.
import { isWireErrorName, type WireErrorName } from '../../../protocol/errors.ts';
import type { RpcError } from '../../../protocol/jsonrpc.ts';

/** The connection ended. A call with a key may be made again. */
export class Lost extends Error {
  constructor() {
    super('The connection to the host was lost.');
    this.name = 'Lost';
  }
}

export class ChatRefusal extends Error {
  readonly why: WireErrorName | 'unknown';
  /** The wait after which the same call may succeed. Undefined when it never will. */
  readonly retryAfterMs: number | undefined;

  constructor(why: ChatRefusal['why'], message: string, retryAfterMs?: number) {
    super(message);
    this.name = 'ChatRefusal';
    this.why = why;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Replaces messages of the host that are meant for programs. */
const WORDS: Partial<Record<WireErrorName, string>> = {
  unauthorized:
    'This token is not valid, or not any more. One that is written in chat stops working. Sign in with another one.',
  internal: 'The host failed while doing this. Try again.',
};

export function chatRefusal({ message, data }: RpcError): ChatRefusal {
  const { name, retryAfterMs, forPeople } = (data ?? {}) as Record<string, unknown>;
  const why = typeof name === 'string' && isWireErrorName(name) ? name : 'unknown';
  const words = (why === 'unknown' || forPeople === true ? undefined : WORDS[why]) ?? message;
  return new ChatRefusal(why, words, typeof retryAfterMs === 'number' ? retryAfterMs : undefined);
}

export function chatWords(error: unknown): string {
  return error instanceof Error ? error.message : 'Something went wrong. Try again.';
}

// Incoming JSON-RPC requests to handlers and their answers back to text: the half that a peer and the HTTP endpoint
// share. Invariants: every request gets exactly one answer, whatever its handler does; a notification gets none; an
// answer never exceeds a frame. No zod here: a handler gets raw params and looks at them itself.
import { wireError } from '../protocol/errors.ts';
import {
  encodeError,
  encodeResult,
  type RpcError,
  type RpcId,
  type RpcNotification,
  type RpcParams,
  type RpcRequest,
} from '../protocol/jsonrpc.ts';
import { isLargerThan } from './frame-transport.ts';

export type Answer = { ok: true; result: unknown } | { ok: false; error: RpcError };
export type Handler = (params: RpcParams | undefined, call: Call) => Answer | Promise<Answer>;
export type Handlers = Readonly<Record<string, Handler>>;
export type OnNotification = (method: string, params: RpcParams | undefined) => void | Promise<void>;

export interface DispatchOptions {
  handlers: Handlers;
  onNotification?: OnNotification;
  /** What a handler threw, or a result that is no JSON: bugs, which the other side sees as `internal`. */
  onError: (error: Error) => void;
  frameBytes: number;
  /** Requests being handled at once; one more is answered `rate_limited`. */
  concurrent: number;
}

export interface Dispatcher {
  /** The answer as text, at once where the handler was. */
  request(request: RpcRequest): string | Promise<string>;
  notification(notification: RpcNotification): void;
  readonly serving: number;
  /** Nobody waits for the answers any more. */
  abort(): void;
}

/** One request under way. The signal costs nothing until somebody asks for it. */
export class Call {
  readonly id: RpcId;
  readonly method: string;
  #controller: AbortController | undefined;
  #aborted = false;

  constructor(id: RpcId, method: string) {
    this.id = id;
    this.method = method;
  }

  /** Aborted when the other side cancels the request or is gone. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#aborted) this.#controller.abort();
    return this.#controller.signal;
  }

  abort(): void {
    this.#aborted = true;
    this.#controller?.abort();
  }
}

const CANCELLED = 'notifications/cancelled';
const RETRY_AFTER_MS = 100;

export function createDispatcher(options: DispatchOptions): Dispatcher {
  const { onNotification, onError, frameBytes, concurrent } = options;
  const handlers = new Map(Object.entries(options.handlers));
  const calls = new Map<RpcId, Call>();

  const encode = (id: RpcId, answer: Answer): string => {
    const text = answer.ok ? encodeResult(id, answer.result) : encodeError(id, answer.error);
    if (!isLargerThan(text, frameBytes)) return text;
    return encodeError(id, wireError('too_large', { limit: frameBytes, unit: 'bytes in an answer' }));
  };
  const failed = (id: RpcId, cause: unknown): string => {
    onError(asError(cause));
    return encodeError(id, wireError('internal'));
  };
  const settle = (id: RpcId, answer: Answer): string => {
    calls.delete(id);
    try {
      return encode(id, answer);
    } catch (error) {
      return failed(id, error);
    }
  };
  const broken = (id: RpcId, cause: unknown): string => {
    calls.delete(id);
    return failed(id, cause);
  };
  const refusal = ({ id, method }: RpcRequest): string | undefined => {
    if (calls.has(id)) {
      // Two answers under one id could not be told apart, so this one goes under none.
      return encodeError(
        null,
        wireError('invalid_request', { problem: 'a request with this id is under way' }),
      );
    }
    if (!handlers.has(method)) {
      return encodeError(id, wireError('unknown_method', { method, supported: [...handlers.keys()] }));
    }
    if (calls.size < concurrent) return undefined;
    return encodeError(id, wireError('rate_limited', { retryAfterMs: RETRY_AFTER_MS }));
  };

  return {
    request(request) {
      const refused = refusal(request);
      const handler = handlers.get(request.method);
      if (refused !== undefined || handler === undefined) return refused ?? '';
      const { id } = request;
      const call = new Call(id, request.method);
      calls.set(id, call);
      try {
        const answer = handler(request.params, call);
        if (!(answer instanceof Promise)) return settle(id, answer);
        return answer.then(
          (value) => settle(id, value),
          (error: unknown) => broken(id, error),
        );
      } catch (error) {
        return broken(id, error);
      }
    },
    notification({ method, params }) {
      if (method === CANCELLED && params !== undefined && 'requestId' in params) {
        calls.get(params.requestId as RpcId)?.abort();
      }
      try {
        onNotification?.(method, params)?.catch((error: unknown) => onError(asError(error)));
      } catch (error) {
        onError(asError(error));
      }
    },
    get serving() {
      return calls.size;
    },
    abort() {
      for (const call of calls.values()) call.abort();
    },
  };
}

function asError(cause: unknown): Error {
  return cause instanceof Error ? cause : new Error('a handler threw what is no Error', { cause });
}

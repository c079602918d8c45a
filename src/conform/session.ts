// One session of the tester with a host. Deliveries are kept until a scenario waits for them, so that it may post first
// and look later. Over HTTP they are pulled, otherwise pushed.
import type { RpcParams } from '../protocol/jsonrpc.ts';
import type { ToolName } from '../protocol/tool-name.ts';
import type { Clock } from '../runtime/clock.ts';
import type { RequestOutcome } from '../transport/requests.ts';
import type { CloseReason } from '../transport/transport.ts';
import { Broken } from './scenario.ts';

/** A delivered event, in the shape of the agreed version. Its fields are unchecked. */
export type Handed = Record<string, unknown> & { eventId: string };

export interface HostLink {
  request(method: string, params?: RpcParams): Promise<RequestOutcome>;
  /** Sends exactly these bytes as one frame. Resolves with the answer, if one comes. */
  raw(frame: string): Promise<unknown>;
  /** Called with deliveries and notifications. */
  onEvent: ((method: string, params: Record<string, unknown>, requestId?: string) => void) | undefined;
  close(reason: 'normal' | 'lost'): void;
  readonly closed: Promise<CloseReason>;
}

export type ToolCallResult =
  | { ok: true; result: Record<string, unknown> }
  | { ok: false; name: string; message: string };

const LOOK_MS = 200;

export class TestSession {
  readonly link: HostLink;
  /** The ids of all deliveries. */
  readonly received = new Set<string>();
  /** By event the id of the request that delivered it. A notification has none. */
  readonly requestIds = new Map<string, string>();
  readonly notes: { method: string; params: Record<string, unknown> }[] = [];
  readonly #patienceMs: number;
  readonly #clock: Clock;
  #handed: Handed[] = [];
  #wake: (() => void) | undefined;

  constructor(link: HostLink, patienceMs: number, clock: Clock) {
    this.link = link;
    this.#patienceMs = patienceMs;
    this.#clock = clock;
    link.onEvent = (method, params, requestId) => {
      if (method === 'chat/deliver') {
        const { eventId } = params as Handed;
        this.received.add(eventId);
        if (requestId !== undefined) this.requestIds.set(eventId, requestId);
        this.#handed.push(params as Handed);
      } else this.notes.push({ method, params });
      this.#wake?.();
    };
  }

  request(method: string, params?: RpcParams): Promise<RequestOutcome> {
    return this.link.request(method, params);
  }

  async tool(name: ToolName, args: Record<string, unknown>): Promise<ToolCallResult> {
    const outcome = await this.request('tools/call', { name, arguments: args });
    if (!outcome.ok) {
      if (outcome.kind !== 'error') throw new Broken(`an answer to ${name}`, outcome.kind);
      return { ok: false, name: nameOf(outcome.error.data), message: outcome.error.message };
    }
    const { isError, structuredContent } = outcome.result as Record<string, unknown>;
    const content = (structuredContent ?? {}) as Record<string, unknown>;
    if (isError !== true) return { ok: true, result: content };
    const { message } = content;
    return {
      ok: false,
      name: nameOf(content['data']),
      message: typeof message === 'string' ? message : '',
    };
  }

  /** The result. Throws `Broken` when the call is refused. */
  async done(name: ToolName, args: Record<string, unknown>): Promise<Record<string, unknown>> {
    const outcome = await this.tool(name, args);
    if (outcome.ok) return outcome.result;
    throw new Broken(`${name} to succeed`, `${outcome.name}: ${outcome.message}`);
  }

  /** The next delivery that is `wanted`, and those that came before it. Each is returned once. */
  async next(
    wanted: (event: Handed) => boolean,
    what: string,
  ): Promise<{ event: Handed; before: readonly Handed[] }> {
    for (let waited = 0; ; ) {
      const at = this.#handed.findIndex(wanted);
      const event = this.#handed[at];
      if (event !== undefined) {
        const before = this.#handed.slice(0, at);
        this.#handed = this.#handed.slice(at + 1);
        return { event, before };
      }
      if (waited >= this.#patienceMs)
        throw new Broken(
          `${what} within ${this.#patienceMs} ms`,
          `${this.#handed.length} other deliveries${this.#handed.map(({ eventId }) => ` ${eventId}`).join(',')}`,
        );
      waited += await this.#look();
    }
  }

  delivered(eventId: string): Promise<{ event: Handed; before: readonly Handed[] }> {
    return this.next((event) => event.eventId === eventId, `the delivery of ${eventId}`);
  }

  /** Whether a notification that is `wanted` comes in time. */
  async note(
    wanted: (note: { method: string; params: Record<string, unknown> }) => boolean,
  ): Promise<boolean> {
    for (let waited = 0; waited < this.#patienceMs; waited += await this.#look()) {
      if (this.notes.some(wanted)) return true;
    }
    return false;
  }

  /** Whether the host closes the session in time. */
  ended(): Promise<boolean> {
    return this.#within(this.#patienceMs, this.link.closed);
  }

  /** Settles every delivery of this session. */
  async settleAll(): Promise<void> {
    for (const inReplyTo of this.received) {
      const outcome = await this.request('tools/call', { name: 'chat.resolve', arguments: { inReplyTo } });
      if (!outcome.ok && outcome.kind === 'closed') return;
    }
  }

  async #look(): Promise<number> {
    const woken = new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    await this.#within(LOOK_MS, woken);
    return LOOK_MS;
  }

  /** Whether the promise resolves in time. */
  async #within(ms: number, what: Promise<unknown>): Promise<boolean> {
    const { promise: late, resolve } = Promise.withResolvers<false>();
    const cancel = this.#clock.after(ms, () => resolve(false));
    const came = await Promise.race([what.then(() => true), late]);
    cancel();
    return came;
  }
}

function nameOf(data: unknown): string {
  const name = (data as { name?: unknown } | undefined)?.name;
  return typeof name === 'string' ? name : 'error';
}

// Rows and units for the store's tests: small, valid, and told apart by a number or a key.
import {
  type StateCodec,
  type Store,
  type Unit,
  UnreadableState,
  type UnitView,
  type Write,
} from '../../src/store/store.ts';
import type { DeliveryRow, InboxRow, LogRow, OutboxRow } from '../../src/store/tables.ts';

/**
 * Says `state` before the JSON, so that a state written by anything else does not decode. One that says `damaged` is
 * rebuilt: the state `of/room` is the seqs of the room's log, and a state called `lost` is gone for good.
 */
export const codec: StateCodec = {
  encode(_key, value) {
    if (value === 'no text') throw new Error('this value has no text');
    return `state ${JSON.stringify(value)}`;
  },
  decode(key, text) {
    if (text.startsWith('damaged')) throw new UnreadableState(key, new Error('it is damaged'));
    if (!text.startsWith('state ')) throw new Error(`${key} is not a state`);
    return JSON.parse(text.slice('state '.length)) as unknown;
  },
  rebuild(key, text, stored) {
    if (key === 'lost') throw new Error('nothing is left of it');
    const seqs = [...stored.rows('log', 'byConversation', key.slice('of/'.length))].map(({ seq }) => seq);
    return {
      text,
      seqs,
      all: [...stored.rows('log', 'byPosition')].length,
      one: stored.row('log', 'm1')?.seq,
    };
  },
};

export function logRow(key: string, over: Partial<LogRow> & { text?: string } = {}): LogRow {
  const { text = `words of ${key}`, ...fields } = over;
  const conversation = fields.conversation ?? 'room';
  const seq = fields.seq ?? 1;
  return {
    key,
    conversation,
    seq,
    at: 1_000,
    type: 'message',
    author: 'ann',
    record: {
      kind: 'event',
      seq,
      at: 1_000,
      event: {
        eventId: key,
        at: 1_000,
        platform: 'web',
        workspaceId: 'w',
        conversation: { id: conversation, kind: 'channel' },
        author: { id: 'ann', kind: 'human' },
        type: 'message',
        text,
      },
      facts: {},
    },
    decisions: [],
    secrets: [],
    ...fields,
  };
}

export function deliveryRow(key: string, over: Partial<DeliveryRow> = {}): DeliveryRow {
  return {
    key,
    agent: 'nova',
    conversation: 'room',
    eventId: key,
    source: key,
    policy: 'must_respond',
    mode: 'immediate',
    state: 'queued',
    open: 1,
    disposition: null,
    why: null,
    attempt: 0,
    dueAt: null,
    dueFor: null,
    createdAt: 1_000,
    settledAt: null,
    turnId: null,
    sends: 0,
    detail: {},
    ...over,
  };
}

export function outboxRow(key: string, over: Partial<OutboxRow> = {}): OutboxRow {
  return {
    key,
    agent: 'nova',
    surface: 'web',
    conversation: 'room',
    kind: 'message',
    state: 'queued',
    eventId: `event ${key}`,
    inReplyTo: null,
    turnId: null,
    bodyHash: 'h',
    body: {},
    attempt: 0,
    dueAt: null,
    createdAt: 1_000,
    platformId: null,
    error: null,
    ...over,
  };
}

export function inboxRow(key: string, open: 0 | 1 = 1): InboxRow {
  return { key, kind: 'no_answer', eventId: key, agents: [], detail: {}, createdAt: 1, closedAt: null, open };
}

/** A unit that only writes. */
export function writing(...writes: Write[]): Unit<undefined> {
  const states = writes.flatMap((write) => ('state' in write ? [write.state] : []));
  return { states, run: () => ({ writes, result: undefined }) };
}

/** Adds one to the number kept under the key and returns it. */
export function counting(key: string): Unit<number> {
  return {
    states: [key],
    run(view) {
      const count = ((view.state(key) as number | undefined) ?? 0) + 1;
      return { writes: [{ state: key, value: count }], result: count };
    },
  };
}

export function throwing(message = 'broken'): Unit<never> {
  return {
    states: [],
    run() {
      throw new Error(message);
    },
  };
}

/** What a unit sees, without writing. */
export function seeing<R>(states: readonly string[], look: (view: UnitView) => R): Unit<R> {
  return { states, run: (view) => ({ writes: [], result: look(view) }) };
}

export function put(store: Store, ...writes: Write[]): Promise<undefined> {
  return store.transact(writing(...writes));
}

export const keysOf = (rows: readonly { key: string }[]): string[] => rows.map(({ key }) => key);

// The fixture of the obligations tests: an agent asks another and is blocked on the answer. Records are built in the
// order of the log. `run` folds them, with ticks exactly at `obligationsWakeAt`, as the host's timers do.
import type { ChatEvent, MessageEvent, ObligationTerms } from '../protocol/chat-event.ts';
import type { Identity } from '../protocol/identity.ts';
import type { LogRecord, RecordFacts } from '../protocol/log-record.ts';
import { recordKind } from '../protocol/log-record.ts';
import { AUTHOR_KINDS } from '../protocol/vocabulary.ts';
import type { Signal } from '../protocol/vocabulary.ts';
import { foldObligations, initialObligations, obligationsWakeAt } from './obligations.ts';
import type {
  ObligationDirectory,
  ObligationEffect,
  ObligationOptions,
  ObligationsState,
} from './obligations.ts';

export const T = 15 * 60_000;
export const T0 = 1_800_000_000_000;

const LEADS: Readonly<Record<Identity, Identity>> = {
  'agent:worker': 'agent:lead',
  'agent:worker-2': 'agent:lead',
  'agent:asker': 'agent:boss',
  'agent:lead': 'agent:chief',
};

export const directory: ObligationDirectory = {
  coordinatorOf: (identity) => LEADS[identity],
  isHuman: (identity) => identity.startsWith('human:'),
  owner: 'human:owner',
};

function authorOf(identity: string): ChatEvent['author'] {
  const kind = AUTHOR_KINDS.find((k) => identity.startsWith(`${k}:`)) ?? 'system';
  return { kind, id: identity.slice(kind.length + 1) };
}

type Rest<E> = E extends ChatEvent
  ? Omit<E, 'at' | 'platform' | 'workspaceId' | 'conversation' | 'author'>
  : never;

export function recordOf(at: number, who: string, rest: Rest<ChatEvent>, facts: RecordFacts = {}): LogRecord {
  const event = {
    at,
    platform: 'web',
    workspaceId: 'W1',
    conversation: { id: 'C1', kind: 'channel' },
    author: authorOf(who),
    ...rest,
  } as ChatEvent;
  return { kind: recordKind(event), seq: 1, at, event, facts };
}

type AskOptions = Omit<Partial<MessageEvent>, 'obligation'> &
  Partial<ObligationTerms> & { who?: string; to?: string[] };

export function ask(at: number, eventId: string, given: AskOptions = {}): LogRecord {
  const { who = 'agent:asker', to = ['agent:worker'], blocks = 'halted', dischargeDelegate, ...rest } = given;
  const obligation = {
    blocks,
    defaultAction: 'I deploy without it',
    ...(dischargeDelegate === undefined ? {} : { dischargeDelegate }),
  };
  return recordOf(at, who, { type: 'message', eventId, recipients: to, obligation, ...rest });
}

export function react(
  at: number,
  who: string,
  signal: Signal,
  targetEventId: string,
  recipient?: string,
): LogRecord {
  const eventId = `r-${at}-${who}-${signal}`;
  return recordOf(at, who, {
    type: 'reaction',
    eventId,
    targetEventId,
    signal,
    ...(recipient === undefined ? {} : { recipient }),
  });
}

export function tickAt(at: number): LogRecord {
  return recordOf(at, 'system:clock', { type: 'tick', eventId: `tick-${at}` });
}

export interface Run {
  state: ObligationsState;
  effects: (ObligationEffect & { at: number })[];
}

export function step(before: Run, record: LogRecord, options: ObligationOptions = {}): Run {
  const { state, effects } = foldObligations(before.state, record, directory, options);
  return { state, effects: [...before.effects, ...effects.map((e) => ({ ...e, at: record.at }))] };
}

export const fresh = (): Run => ({ state: initialObligations(), effects: [] });

/** Folds the records, and ticks at `obligationsWakeAt` up to `until`, each in its place between the records. */
export function run(records: readonly LogRecord[], until: number, options: ObligationOptions = {}): Run {
  let current = fresh();
  for (const record of records) {
    current = sweep(current, record.at - 1, options);
    current = step(current, record, options);
  }
  return sweep(current, until, options);
}

export function sweep(start: Run, until: number, options: ObligationOptions = {}): Run {
  let current = start;
  let wake = obligationsWakeAt(current.state);
  while (wake !== null && wake <= until) {
    current = step(current, tickAt(wake), options);
    const next = obligationsWakeAt(current.state);
    // With returns switched off nothing changes, and the loop would never end.
    wake = next === wake ? null : next;
  }
  return current;
}

/** What happened and when: `type@minutes` for each effect. */
export function brief(result: Run): string[] {
  return result.effects.map((e) => `${e.type}@${(e.at - T0) / T}`);
}

export function only<K extends ObligationEffect['type']>(result: Run, type: K) {
  return result.effects.filter(
    (e): e is Extract<ObligationEffect, { type: K }> & { at: number } => e.type === type,
  );
}

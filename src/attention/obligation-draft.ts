// The draft on which one step of the obligations fold works: maps instead of lists, and the effects in order. It never
// leaves the step. When nothing changed, `closeObligationDraft` returns the same state object, so the host can skip the
// write.
import { type LadderKind, ladderId } from '../protocol/derived-id.ts';
import type { Identity } from '../protocol/identity.ts';
import type { EscalateEffect, EscalatedItem, ObligationEffect, RefusalReason } from './obligation-effects.ts';
import { OBLIGATION_TOPICS } from './obligation-effects.ts';
import type { ObligationDirectory } from './obligation-identity.ts';
import type { ObligationOptions } from './obligation-options.ts';
import { listOf } from './obligation-queries.ts';
import { OBLIGATION_LIMITS, obligationId } from './obligation-state.ts';
import type { HeldRecord, Obligation, ObligationsState } from './obligation-state.ts';

export interface ObligationDraft {
  before: ObligationsState;
  changed: boolean;
  at: number;
  directory: ObligationDirectory;
  options: ObligationOptions;
  open: Map<string, Obligation>;
  held: HeldRecord[];
  closed: { eventId: string; recipient: Identity }[];
  derived: number;
  effects: ObligationEffect[];
  /** The escalations of this step. Each has one effect, however many obligations were added to it. */
  escalations: Map<string, EscalateEffect>;
}

export function openObligationDraft(
  before: ObligationsState,
  at: number,
  directory: ObligationDirectory,
  options: ObligationOptions,
): ObligationDraft {
  const open = new Map(before.open.map((obligation) => [obligation.id, obligation]));
  const { held, closed, derived } = before;
  return {
    before,
    changed: false,
    at,
    directory,
    options,
    open,
    held: [...held],
    closed: [...closed],
    derived,
    effects: [],
    escalations: new Map(),
  };
}

export function closeObligationDraft(draft: ObligationDraft): {
  state: ObligationsState;
  effects: ObligationEffect[];
} {
  const { before, effects } = draft;
  if (!draft.changed) return { state: before, effects };
  const closed = draft.closed.slice(-OBLIGATION_LIMITS.closed);
  const { held, derived } = draft;
  return {
    state: { version: before.version, open: [...draft.open.values()], held, closed, derived },
    effects,
  };
}

export function put(draft: ObligationDraft, obligation: Obligation): void {
  draft.open.set(obligation.id, obligation);
  draft.changed = true;
}

export function remove(draft: ObligationDraft, obligation: Obligation): void {
  draft.open.delete(obligation.id);
  rememberClosed(draft, obligation.eventId, obligation.recipient);
}

/** Remembers an obligation that is closed or was refused, so late records about it are not held. */
export function rememberClosed(draft: ObligationDraft, eventId: string, recipient: Identity): void {
  draft.closed.push({ eventId, recipient });
  draft.changed = true;
}

/** The obligations of an event, found by the event's id or by the id of one of its edits. */
export function obligationsOn(draft: ObligationDraft, eventId: string): Obligation[] {
  return [...draft.open.values()].filter((o) => o.eventId === eventId || o.edits.includes(eventId));
}

export function wasClosed(draft: ObligationDraft, eventId: string, recipient?: Identity): boolean {
  return draft.closed.some(
    (c) => c.eventId === eventId && (recipient === undefined || c.recipient === recipient),
  );
}

export function nextDerivedId(
  draft: ObligationDraft,
  eventId: string,
  kind: Exclude<LadderKind, 'return'>,
): string {
  draft.derived += 1;
  draft.changed = true;
  return ladderId(eventId, kind, draft.derived);
}

export function refuse(
  draft: ObligationDraft,
  eventId: string,
  recipient: string | null,
  reason: RefusalReason,
  limit?: number,
): void {
  draft.effects.push({
    type: 'refused',
    eventId,
    recipient,
    reason,
    ...(limit === undefined ? {} : { limit }),
  });
}

export function about(obligation: Obligation) {
  const { id, eventId, recipient } = obligation;
  return { obligationId: id, eventId, recipient };
}

export function knock(draft: ObligationDraft, obligation: Obligation, derivedId: string) {
  const { eventId, author, conversationId, blocks, defaultAction, createdAt, kind } = obligation;
  return {
    ...about(obligation),
    derivedId,
    refersTo: eventId,
    author,
    conversationId,
    topic: OBLIGATION_TOPICS[kind],
    ageMs: draft.at - createdAt,
    blocks,
    defaultAction,
    loopExempt: true as const,
  };
}

/** The list of an escalation, in the order of every queue. Each entry has its own age. */
export function itemsOf(draft: ObligationDraft, obligation: Obligation): EscalatedItem[] {
  return listOf(draft.open, obligation).map((item) => {
    const { author, blocks, defaultAction, createdAt } = item;
    return { ...about(item), author, createdAt, ageMs: draft.at - createdAt, blocks, defaultAction };
  });
}

export function newObligation(
  given: Pick<
    Obligation,
    'eventId' | 'recipient' | 'author' | 'kind' | 'conversationId' | 'createdAt' | 'blocks' | 'defaultAction'
  > &
    Partial<Obligation>,
): Obligation {
  return {
    id: obligationId(given.eventId, given.recipient),
    delegate: null,
    mode: 'buffered',
    rung: 'recipient',
    tier: 0,
    dueAt: null,
    attempt: 0,
    returned: 0,
    extended: false,
    paused: false,
    reciprocal: null,
    about: null,
    escalatedTo: null,
    blockedOn: null,
    items: [],
    doneAt: null,
    edits: [],
    ...given,
  };
}

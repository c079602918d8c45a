// A delivered event as agent code sees it, and the route it takes. Plain data. Everything in `text`, `attachments` and
// `obligation` was written by somebody in chat and is untrusted; everything else comes from the host.
import type {
  AuthorKind,
  Blocks,
  ConversationKind,
  Directedness,
  InjectionContext,
  InjectionMode,
  Policy,
  Priority,
  Signal,
} from '../protocol/vocabulary.ts';

export interface TurnAuthor {
  id: string;
  kind: AuthorKind;
  displayName?: string;
}

export interface TurnConversation {
  /** The room. `threadId` names a thread in it. */
  id: string;
  kind: ConversationKind;
  threadId?: string;
  streamId?: string;
  platform: string;
  workspaceId: string;
  /** In the form that tools take: `thread:1748890000.000100`. */
  target: string;
}

/** A reference. The bytes stay on the platform. */
export interface TurnAttachment {
  id: string;
  kind: string;
  name?: string;
  bytes?: number;
}

export interface TurnKnock {
  from: string;
  name?: string;
  where: string;
  topic: string;
  ageMs?: number;
  pullWith: string;
}

export interface TurnEvent {
  /** The host's id, unique there. Tools take this one. */
  eventId: string;
  /** What the platform calls it, where that is another id. */
  sourceId?: string;
  refersTo?: string;
  conversation: TurnConversation;
  author: TurnAuthor;
  mentions: readonly string[];
  directedness: Directedness;
  policy: Policy;
  reason: string;
  priority: Priority;
  mode: InjectionMode;
  context: InjectionContext;
  /** The host's code words: `loop`, `group`, `reminder`, `claim_first`, `edited`, `edited_after_response`, `undelivered`, … */
  notices: readonly string[];
  requiresThreadCheck: boolean;
  deadlineMs?: number;
  attempt: number;
  /** Epoch ms, by the source's clock. */
  createdAt?: number;
  /** Within what time its author adds something, when they do. 0: they seldom do. Missing: unknown. */
  goesOnMs?: number;
  /** Within what time its author usually adds something, when that is longer than a compose window may wait. */
  addsWithinMs?: number;
  /** Empty for a knock. `readThread` reads the body. */
  text: string;
  attachments: readonly TurnAttachment[];
  knock?: TurnKnock;
  reaction?: { targetEventId: string; signal: Signal; recipient?: string };
  obligation?: { blocks: Blocks; defaultAction: string };
  /** Set when a debt was escalated to this agent: who does not answer, and the debts that wait for them. */
  escalation?: { blockedOn: string; items: readonly TurnDebt[] };
  /** An earlier send of ours about this event was not shown. `reason` is untrusted. */
  notShown?: { eventId: string; why: string; reason?: string };
  /** Another agent did not answer this, and we are asked now. `error` is untrusted. */
  unanswered?: { by: string; why: string; error?: string };
}

/** A debt on the list of an escalation. Its question can be read with `readThread` and its event id. */
export interface TurnDebt {
  eventId: string;
  author: string;
  blocks: Blocks;
  defaultAction: string;
}

/** A message that was said while the agent was quiet, or just before by the same author. */
export interface SeenEvent {
  eventId: string;
  author: TurnAuthor;
  createdAt?: number;
  text: string;
  attachments: readonly TurnAttachment[];
  /** Whom it was for, if the host knows: `agent:builder`, `human:U1`, `role:ops`, `somebody`. Empty: nobody. */
  to: readonly string[];
  /** True for the author's own words just before the event. They are part of it, not context. */
  leadIn: boolean;
}

/** Everything in an event that somebody in chat wrote and that a prompt may quote. */
export function untrustedTexts({ text, obligation, escalation, notShown, unanswered }: TurnEvent): string[] {
  return [
    text,
    obligation?.defaultAction ?? '',
    notShown?.reason ?? '',
    unanswered?.error ?? '',
    ...(escalation?.items.map((item) => item.defaultAction) ?? []),
  ];
}

/** The key of a conversation. A thread has the same key whether it comes as `id` or as `threadId`. */
export function placeKey({ platform, workspaceId, id, threadId }: TurnConversation): string {
  return JSON.stringify([platform, workspaceId, threadId ?? id]);
}

export function authorKey({ kind, id }: Pick<TurnAuthor, 'kind' | 'id'>): string {
  return `${kind}:${id}`;
}

/** The event this one is about. Claims and answers are kept under that id. */
export function rootId({ eventId, refersTo }: Pick<TurnEvent, 'eventId' | 'refersTo'>): string {
  return refersTo ?? eventId;
}

/** What the agent side does with a delivery. */
export type DeliveryRoute =
  /** Goes into the compose window, then becomes a turn. */
  | 'fragment'
  /** Becomes a turn of its own with the knock alone, because it must be answered or is an offer. */
  | 'knock'
  /** Waits for the next turn in its conversation. */
  | 'ride'
  /** Waits for the next turn anywhere. */
  | 'ride_anywhere'
  /** Is only acknowledged. Tools can still read it. */
  | 'drop';

/**
 * Decided by policy and mode alone. A handler never sees an event that must not be answered or only needs an
 * acknowledgement.
 */
export function routeOf({
  policy,
  mode,
  notices,
}: Pick<TurnEvent, 'policy' | 'mode' | 'notices'>): DeliveryRoute {
  if (mode === 'digest') return 'ride_anywhere';
  if (policy === 'ack_only' || mode === 'tool_mailbox' || mode === 'silent') return 'drop';
  if (policy === 'must_not_respond') return mode === 'notify' ? 'ride' : 'drop';
  if (mode === 'immediate' || mode === 'buffered') return 'fragment';
  return policy === 'must_respond' || notices.includes('claim_first') ? 'knock' : 'ride';
}

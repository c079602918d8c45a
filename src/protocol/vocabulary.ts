// The words of C2A, verbatim from the drafts 2026-06-02, 2026-06-24 and the obligations extension 2026-08-11. Schemas
// are built from these lists; the lists are plain data without zod, so an agent author's import stays small. No other
// file of Earshot has a second list of these words.

/** Newest first: negotiation offers them in this order. */
export const PROTOCOL_VERSIONS = ['2026-08-11', '2026-06-24', '2026-06-02'] as const;
export type ProtocolVersion = (typeof PROTOCOL_VERSIONS)[number];

export const CONVERSATION_KINDS = ['dm', 'channel', 'thread', 'system', 'tool'] as const;
export type ConversationKind = (typeof CONVERSATION_KINDS)[number];

/** Who can author an event. `system` is the platform itself: bots without an identity, joins, hooks. */
export const AUTHOR_KINDS = ['human', 'agent', 'system'] as const;
export type AuthorKind = (typeof AUTHOR_KINDS)[number];

export const DIRECTEDNESS = ['to_me', 'to_my_role', 'to_other', 'ambient'] as const;
export type Directedness = (typeof DIRECTEDNESS)[number];

/** The strongest first. To lower a policy means to move right in this list. */
export const POLICIES = ['must_respond', 'may_respond', 'ack_only', 'must_not_respond'] as const;
export type Policy = (typeof POLICIES)[number];

/** The most visible first. */
export const INJECTION_MODES = [
  'immediate',
  'buffered',
  'notify',
  'tool_mailbox',
  'digest',
  'silent',
] as const;
export type InjectionMode = (typeof INJECTION_MODES)[number];

export const INJECTION_CONTEXTS = ['none', 'thread_window'] as const;
export type InjectionContext = (typeof INJECTION_CONTEXTS)[number];

export const PRIORITIES = ['normal', 'urgent'] as const;
export type Priority = (typeof PRIORITIES)[number];

export const DISPOSITIONS = [
  'responded',
  'acknowledged',
  'deferred',
  'claimed',
  'ignored',
  'superseded',
  'failed',
] as const;
export type Disposition = (typeof DISPOSITIONS)[number];

export const SIGNALS = [
  'seen',
  'agree',
  'working',
  'queued',
  'claimed',
  'done',
  'declined',
  'blocked',
  'unclear',
] as const;
export type Signal = (typeof SIGNALS)[number];

/** The disposition that each signal gives to the event it answers; `unclear` gives none. For glyphs see glyphs.ts. */
export const SIGNAL_DISPOSITIONS: Record<Signal, Disposition | null> = {
  seen: 'acknowledged',
  agree: 'acknowledged',
  working: 'claimed',
  queued: 'deferred',
  claimed: 'claimed',
  done: 'responded',
  declined: 'ignored',
  blocked: 'deferred',
  unclear: null,
};

export const VISIBILITIES = ['dm', 'thread', 'channel', 'ephemeral'] as const;
export type Visibility = (typeof VISIBILITIES)[number];

/** The decision that is published for every inbound event. `claim` is a pairing code, never a work claim. */
export const INBOUND_DECISIONS = ['engage', 'observe', 'denied', 'claim'] as const;
export type InboundDecision = (typeof INBOUND_DECISIONS)[number];

export const MODES = ['auto', 'follow', 'mention_only', 'left'] as const;
export type ConversationMode = (typeof MODES)[number];

/** What a message does, read from its words and its context. */
export const INTENTS = [
  'thanks',
  'ack',
  'question',
  'request',
  'approval',
  'rejection',
  'answer',
  'cancel',
  'urgent',
  'safety',
  'blocker',
  'status',
  'leave',
  'stop',
  'mode_change',
  'statement',
] as const;
export type Intent = (typeof INTENTS)[number];

/** How badly the author of an obligation is stuck without the answer. Queues order by this, then by age. */
export const BLOCKS = ['halted', 'degraded', 'none'] as const;
export type Blocks = (typeof BLOCKS)[number];

/** Why an obligation moved to the next who is asked. */
export const ESCALATION_CAUSES = ['returns_spent', 'declined', 'blocked', 'loop_stopped'] as const;
export type EscalationCause = (typeof ESCALATION_CAUSES)[number];

/** How an event came: as it happened, late after a gap, or from the platform's history. */
export const ORIGINS = ['live', 'gap', 'backfill'] as const;
export type Origin = (typeof ORIGINS)[number];

/** Why a decision is what it is. Each decision has one reason; its trace has the rest. */
export const REASONS = [
  // the ladder, top to bottom
  'self',
  'obligation',
  'left',
  'direct_message',
  'mention',
  'reply',
  'assignment',
  'fragment',
  'exchange',
  'sticky',
  'name',
  'role_mention',
  'addressed_elsewhere',
  'agent_no_task',
  'owned_thread',
  'owned_stream',
  'solo_human',
  'thread_question',
  'thread_participation',
  'ambient',
  // before the ladder
  'pairing',
  'denied',
  'backfill',
  // instead of what the ladder said
  'loop_stopped',
  'claimed_by_other',
  'leave_request',
  'stop_request',
  'mode_request',
  'thanks',
  'status',
  'silent_kind',
  // other events
  'edited_after_response',
  'edited_away',
  'deleted',
  'signal',
  'progress',
  'claimed',
  'open_floor',
] as const;
export type Reason = (typeof REASONS)[number];

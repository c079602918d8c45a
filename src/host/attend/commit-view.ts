// What the parts of one commit share: the unit's view, the record that is being written, its conversation before and
// after, and what the record refers to. Every function that takes it is pure and returns a Change.
import type { AttentionState, Roster } from '../../attention/index.ts';
import type { UnitView } from '../../store/store.ts';
import type { LogRow } from '../../store/tables.ts';
import type { HostContext } from '../kernel/context.ts';
import type { ConversationState } from '../kernel/conversation.ts';

export interface CommitView {
  context: HostContext;
  view: UnitView;
  roster: Roster;
  row: LogRow;
  conversation: ConversationState;
  /** The load of a connected agent; Infinity when it is not connected. Offers go to the smallest first. */
  rank: (agent: string) => number;
  /** The event that this one refers to, if any. */
  target: string | undefined;
  /** The edits that the target has had before this record. */
  edits: readonly string[];
  /** The key of the outbox row that the target was sent from. */
  sent: string | undefined;
  /** The attention state before this record. */
  before: AttentionState;
}

/** Who sees what is said there. */
export function visibilityIn({ conversation }: CommitView): 'dm' | 'thread' | 'channel' {
  const { kind } = conversation.place.conversation;
  return kind === 'dm' || kind === 'thread' ? kind : 'channel';
}

/** What the host says there for an agent about an event. */
export function spokenBy(
  { context, row, conversation }: CommitView,
  { agent, eventId }: { agent: string; eventId: string },
) {
  const surface = context.speakers.homeOf(conversation);
  return { agent, eventId, surface, conversation: row.conversation, now: row.at };
}

// What the parts of one commit share: the unit's view, the record being written, its conversation before and after, and
// what the record refers to. Everything that uses it is pure and answers with a Change.
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
  /** Smaller is better placed to take work: connected, least busy. Infinity when not connected. */
  rank: (agent: string) => number;
  /** The event this one refers to, if any, and the edits it has had since. */
  target: string | undefined;
  edits: readonly string[];
  /** The outbox row the target was sent from. */
  sent: string | undefined;
  /** The attention state before this record. */
  before: AttentionState;
}

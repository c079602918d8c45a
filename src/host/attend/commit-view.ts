// What the parts of one commit share: the unit's view, the record being written and its conversation, and what they
// give back. Everything here is pure; writes happen together, news is told after the sync.
import type { AttentionState, Roster } from '../../attention/index.ts';
import type { UnitView, Write } from '../../store/store.ts';
import type { LogRow } from '../../store/tables.ts';
import type { HostContext, HostNews } from '../kernel/context.ts';
import type { ConversationState } from '../kernel/conversation.ts';

export interface Scene {
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
  /** As it was before this record. */
  before: AttentionState;
}

export interface Carried {
  writes: Write[];
  news: HostNews[];
}

export const nothingCarried = (): Carried => ({ writes: [], news: [] });

export function join(parts: readonly Carried[]): Carried {
  const joined = nothingCarried();
  for (const part of parts) gather(joined, part);
  return joined;
}

export function gather(into: Carried, { writes, news }: Carried): void {
  for (const write of writes) into.writes.push(write);
  for (const item of news) into.news.push(item);
}

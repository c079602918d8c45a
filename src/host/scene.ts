// What the parts of one commit share: the unit's view, the record being written and its conversation, and what they
// give back. Everything here is pure; writes happen together, news is told after the sync.
import type { Roster } from '../attention/index.ts';
import type { UnitView, Write } from '../store/store.ts';
import type { LogRow } from '../store/tables.ts';
import type { HostContext, HostNews } from './context.ts';
import type { ConversationState } from './conversation.ts';

export interface Scene {
  context: HostContext;
  view: UnitView;
  roster: Roster;
  row: LogRow;
  conversation: ConversationState;
  /** Smaller is better placed to take work: connected, least busy. Infinity when not connected. */
  rank: (agent: string) => number;
  /** The event this one refers to, if any. */
  target: string | undefined;
}

export interface Carried {
  writes: Write[];
  news: HostNews[];
}

export const nothingCarried = (): Carried => ({ writes: [], news: [] });

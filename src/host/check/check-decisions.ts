// The log decided again: the same pure code over the recorded inputs must give what is stored, decision by decision, and
// in the end the stored state. A difference means that something other than the records had a say.
import { isDeepStrictEqual } from 'node:util';
import {
  type AttentionSettings,
  type AttentionState,
  attend,
  emptyState,
  encodeState,
} from '../../attention/index.ts';
import type { StoreReader } from '../kernel/context.ts';
import { createRosters } from '../kernel/context.ts';
import { type ConversationState, placeOf } from '../kernel/conversation.ts';
import { packDecisions } from '../kernel/log-row.ts';
import type { LogRow } from '../../store/tables.ts';
import { pages } from './pages.ts';

export interface DecisionSettings {
  attention: AttentionSettings;
  /** Records of another configuration are folded and not compared. */
  configVersion: string;
}

/** In words, the first difference of each conversation. */
export async function checkDecisions(
  store: StoreReader,
  conversations: Iterable<string>,
  { attention, configVersion }: DecisionSettings,
): Promise<string[]> {
  const rosterAt = createRosters(attention);
  const found: string[] = [];
  for (const key of conversations) {
    let state: AttentionState = emptyState();
    let complete = true;
    let next = 1;
    for await (const row of pages(
      (range) => store.scan('log', 'byConversation', { eq: [key], ...range }),
      ({ seq }) => seq,
    )) {
      // Retention has removed what led here.
      if (row.seq !== next) complete = false;
      next = row.seq + 1;
      if (row.record.facts.configVersion !== configVersion || isScrubbed(row)) complete = false;
      const folded = attend(state, row.record, rosterAt(placeOf(row.record.event), key));
      state = folded.state;
      if (!complete || isDeepStrictEqual(row.decisions, plain(packDecisions(folded.decisions)))) continue;
      found.push(`${key} ${row.seq}: what was decided about ${row.key} is not what its record gives`);
      complete = false;
    }
    const kept = (await store.state(key)) as ConversationState | undefined;
    if (complete && kept !== undefined && encodeState(kept.attention) !== encodeState(state))
      found.push(`${key}: its state is not what its log gives`);
  }
  return found;
}

/** Its text was removed, so it cannot be decided again, and neither can what came after it. */
function isScrubbed({ record: { event } }: LogRow): boolean {
  return (event.type === 'message' || event.type === 'edit') && event.text === undefined;
}

/** As it is stored. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

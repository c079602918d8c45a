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
import { createRosters, type RosterAt } from '../kernel/in-force.ts';
import { type ConversationState, placeOf } from '../kernel/conversation.ts';
import { packDecisions, type PackedOutcome, unpackDecisions } from '../kernel/log-row.ts';
import type { LogRow } from '../../store/tables.ts';
import { pages } from './pages.ts';

export interface DecisionSettings {
  attention: AttentionSettings;
  configVersion: string;
  /** Earlier versions by their hash. Records of a version that is not known are folded and not compared. */
  earlier?: ReadonlyMap<string, AttentionSettings>;
}

/** In words, the first difference of each conversation. */
export async function checkDecisions(
  store: StoreReader,
  conversations: Iterable<string>,
  settings: DecisionSettings,
): Promise<string[]> {
  const rostersOf = rostersByVersion(settings);
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
      const known = rostersOf(row.record.facts.configVersion);
      if (known === undefined || isScrubbed(row)) complete = false;
      const rosterAt = known ?? rostersOf(settings.configVersion) ?? createRosters(settings.attention);
      const folded = attend(state, row.record, rosterAt(placeOf(row.record.event), key));
      state = folded.state;
      if (!complete || isAsStored(row, packDecisions(folded.decisions))) continue;
      found.push(`${key} ${row.seq}: what was decided about ${row.key} is not what its record gives`);
      complete = false;
    }
    const kept = (await store.state(key)) as ConversationState | undefined;
    if (complete && kept !== undefined && encodeState(kept.attention) !== encodeState(state))
      found.push(`${key}: its state is not what its log gives`);
  }
  return found;
}

/** The rosters of the version that decided a record. */
function rostersByVersion({ attention, configVersion, earlier }: DecisionSettings) {
  const made = new Map([[configVersion, createRosters(attention)]]);
  return (version: string | undefined): RosterAt | undefined => {
    const known = version === undefined ? undefined : (made.get(version) ?? compiled(earlier?.get(version)));
    if (version !== undefined && known !== undefined) made.set(version, known);
    return known;
  };
}

function compiled(settings: AttentionSettings | undefined): RosterAt | undefined {
  return settings === undefined ? undefined : createRosters(settings);
}

/** Its text was removed, so it cannot be decided again, and neither can what came after it. */
function isScrubbed({ record: { event } }: LogRow): boolean {
  return (event.type === 'message' || event.type === 'edit') && event.text === undefined;
}

/**
 * Members may stand in another order, and rows of before have other texts. Nearly none is like that, and to compare texts costs
 * a third.
 */
function isAsStored({ decisions, key }: LogRow, decided: readonly PackedOutcome[]): boolean {
  if (JSON.stringify(decisions) === JSON.stringify(decided)) return true;
  const plain = (packed: readonly unknown[]): unknown =>
    JSON.parse(JSON.stringify(unpackDecisions(packed, key)));
  return isDeepStrictEqual(plain(decisions), plain(decided));
}

// Compares two sets of decisions on the same messages, for replay. It pairs them by event and agent, compares what each
// does, and counts the turns on both sides.
import { type Decision, type Roster, sameOutcome } from '../../attention/index.ts';
import type { ReplayAnswer, ReplayDifference } from '../../protocol/operator-api.ts';
import { shownWithWords } from './plain-words.ts';
import { iso } from '../../protocol/log-record.ts';
import { takesTurn } from './shown.ts';

/** At most this many differences are listed. The rest are only counted. */
export const DIFFERENCES_MAX = 1_000;
const TEXT_CHARS = 280;

export interface Sides {
  about: { at: number; author: string; conversation: string; text: string };
  before: readonly Decision[];
  after: readonly Decision[];
  rosters: { before: Roster; after: Roster };
}

export class DifferenceReport {
  readonly #all: boolean;
  readonly #listed: ReplayDifference[] = [];
  #decisions = 0;
  #different = 0;
  #turns = { before: 0, after: 0, added: 0, saved: 0 };
  #cut = false;

  /** With `all`, decisions that are the same are listed too. */
  constructor(all: boolean) {
    this.#all = all;
  }

  add(sides: Sides): void {
    for (const pair of paired(sides)) this.#count(sides, pair);
  }

  answer(): Pick<
    ReplayAnswer,
    'decisions' | 'different' | 'turnsBefore' | 'turnsAfter' | 'turnsAdded' | 'turnsSaved' | 'differences'
  > & { listedAll: boolean } {
    const { before, after, added, saved } = this.#turns;
    return {
      decisions: this.#decisions,
      different: this.#different,
      turnsBefore: before,
      turnsAfter: after,
      turnsAdded: added,
      turnsSaved: saved,
      differences: this.#listed,
      listedAll: !this.#cut,
    };
  }

  #count({ about, rosters }: Sides, { before, after }: Pair): void {
    const [turnBefore, turnAfter] = [before, after].map((one) => one !== undefined && takesTurn(one));
    this.#decisions++;
    if (turnBefore === true) this.#turns.before++;
    if (turnAfter === true) this.#turns.after++;
    if (turnAfter === true && turnBefore !== true) this.#turns.added++;
    if (turnBefore === true && turnAfter !== true) this.#turns.saved++;
    const same = before !== undefined && after !== undefined && sameOutcome(before, after);
    if (!same) this.#different++;
    if (same && !this.#all) return;
    const one = before ?? after;
    if (one === undefined || this.#listed.length >= DIFFERENCES_MAX) {
      this.#cut = true;
      return;
    }
    this.#listed.push({
      eventId: one.eventId,
      agent: one.agent,
      at: iso(about.at),
      author: about.author,
      conversation: about.conversation,
      text: about.text.slice(0, TEXT_CHARS),
      before: shownWithWords(before, rosters.before),
      after: shownWithWords(after, rosters.after),
    });
  }
}

interface Pair {
  before: Decision | undefined;
  after: Decision | undefined;
}

const pairKey = ({ eventId, agent }: Decision): string => JSON.stringify([eventId, agent]);

function paired({ before, after }: Sides): Pair[] {
  const pairs = new Map<string, Pair>(before.map((one) => [pairKey(one), { before: one, after: undefined }]));
  for (const one of after) {
    pairs.set(pairKey(one), { before: pairs.get(pairKey(one))?.before, after: one });
  }
  return [...pairs.values()];
}

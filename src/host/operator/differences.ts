// Compares two sets of decisions on the same messages, for replay. It pairs them by event and agent, compares what each
// does, and counts the turns on both sides.
import { type Decision, type Roster, sameOutcome } from '../../attention/index.ts';
import { INTENT_WORDS } from '../../attention/trace-words.ts';
import type { ReplayAnswer, ReplayDifference } from '../../protocol/operator-api.ts';
import { shownWithWords } from './plain-words.ts';
import type { ChatEvent } from '../../protocol/chat-event.ts';
import { iso } from '../../protocol/log-record.ts';
import { takesTurn } from './shown.ts';

/** At most this many differences are listed. The rest are only counted. */
export const DIFFERENCES_MAX = 1_000;
const TEXT_CHARS = 280;

type Conversation = ChatEvent['conversation'];

export interface Sides {
  about: { at: number; author: string; conversation: Conversation; text: string };
  before: readonly Decision[];
  after: readonly Decision[];
  rosters: { before: Roster; after: Roster };
}

export class DifferenceReport {
  readonly #all: boolean;
  readonly #unasked: 'differs' | 'turns';
  readonly #listed: ReplayDifference[] = [];
  #decisions = 0;
  #different = 0;
  #turns = { before: 0, after: 0, added: 0, saved: 0 };
  #cut = false;

  /**
   * With `all`, decisions that are the same are listed too. An agent that only one side has always differs; with `turns`
   * only where it takes a turn, so that a new agent that stays quiet changes nothing.
   */
  constructor(all: boolean, unasked: 'differs' | 'turns' = 'differs') {
    this.#all = all;
    this.#unasked = unasked;
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
    const quiet = this.#unasked === 'turns' && turnBefore !== true && turnAfter !== true;
    const same = before !== undefined && after !== undefined ? sameOutcome(before, after) : quiet;
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
      conversation: about.conversation.id,
      place: placeWords(about.conversation),
      text: about.text.slice(0, TEXT_CHARS),
      changed: before === undefined || after === undefined ? [] : changedWords(before, after),
      before: shownWithWords(before, rosters.before),
      after: shownWithWords(after, rosters.after),
    });
  }
}

function placeWords({ kind, id, title, parentId }: Conversation): string {
  if (kind === 'dm') return 'direct message';
  return kind === 'thread' ? `thread in #${parentId ?? id}` : `#${title ?? id}`;
}

const CONTEXT_WORDS: Record<Decision['context'], string> = {
  none: 'nothing of what was said before',
  thread_window: 'what was said before in the thread',
};

/** What two decisions differ in that policy and reason do not tell. */
function changedWords(before: Decision, after: Decision): string[] {
  const words: string[] = [];
  const from = (what: string, was: string, is: string): void => {
    if (was !== is) words.push(`${what} ${was} → ${is}`);
  };
  if (before.context !== after.context) words.push(`is told ${CONTEXT_WORDS[after.context]}`);
  from('handed over', before.mode, after.mode);
  from('directed', before.directedness, after.directedness);
  if (before.intent !== after.intent)
    words.push(`reads as ${INTENT_WORDS[after.intent]}, not ${INTENT_WORDS[before.intent]}`);
  from('priority', before.priority, after.priority);
  if (before.claimFirst !== after.claimFirst)
    words.push(after.claimFirst === true ? 'has to take it first' : 'need not take it first');
  if (before.offer !== after.offer) words.push('is offered otherwise');
  if (before.heldUntil !== after.heldUntil)
    words.push(after.heldUntil === undefined ? 'is not kept back' : 'is kept back for a while');
  if (before.notice !== after.notice) words.push('gets another note with it');
  if (before.refersTo !== after.refersTo) words.push('is about another message');
  return words;
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

// The numbers under which stored state keeps its words. Stored states are read by these numbers, so a number, once
// given, is never changed and never given to another word. A new word takes the next free number, wherever it stands
// in its own list. A word without a number is a type error.
import type { AuthorKind, ConversationMode } from '../protocol/vocabulary.ts';
import type { RungId } from './directedness.ts';
import type { AttentionNotch } from './scorer/bands.ts';
import type { LoopAsk, LoopCause } from './state.ts';

export class CodeTable<Id extends string> {
  readonly codes: Readonly<Record<Id, number>>;
  readonly #what: string;
  readonly #ids: (Id | undefined)[] = [];

  constructor(what: string, codes: Readonly<Record<Id, number>>) {
    this.#what = what;
    this.codes = codes;
    for (const id of Object.keys(codes) as Id[]) {
      const code = codes[id];
      if (this.#ids[code] !== undefined) throw new Error(`${what} code ${code} is given twice`);
      this.#ids[code] = id;
    }
  }

  /** Throws for a number that stands for nothing: to guess would be to misread. */
  idOf(code: number): Id {
    const id = this.#ids[code];
    if (id === undefined) throw new Error(`${this.#what} code ${code} is not known`);
    return id;
  }
}

export const RUNG_CODES = new CodeTable<RungId>('rung', {
  self: 0,
  obligation: 1,
  left: 2,
  direct_message: 3,
  mention: 4,
  reply: 5,
  assignment: 6,
  fragment: 7,
  exchange: 8,
  name: 9,
  role_mention: 10,
  addressed_elsewhere: 11,
  agent_no_task: 12,
  owned_thread: 13,
  solo_human: 14,
  thread_question: 15,
  thread_participation: 16,
  ambient: 17,
});

export const MODE_CODES = new CodeTable<ConversationMode>('mode', {
  auto: 0,
  follow: 1,
  mention_only: 2,
  left: 3,
});

/** A notch is kept in a digit of this base, beside the number of the settings at that time. */
export const NOTCH_BASE = 8;
export const NOTCH_CODES = new CodeTable<AttentionNotch>('notch', { quiet: 0, balanced: 1, keen: 2 });

/** Version 1 keeps a kind in a digit of base 3, beside two flags. A fourth kind needs version 2. */
export const AUTHOR_KIND_BASE = 3;
const AUTHOR_KINDS: Readonly<Record<AuthorKind, 0 | 1 | 2>> = { human: 0, agent: 1, system: 2 };
export const AUTHOR_KIND_CODES = new CodeTable<AuthorKind>('author kind', AUTHOR_KINDS);

export const CAUSE_CODES = new CodeTable<LoopCause>('loop cause', {
  unproductive: 0,
  repeating: 1,
  told: 2,
});

export const ASK_CODES = new CodeTable<LoopAsk>('ask', { again: 0, new: 1, task: 2, back: 3 });

/** The causes of version 1, which stopped a whole room. Its reader still tells a known code from damage. */
export const CAUSE_CODES_V1 = new CodeTable('loop cause', {
  unproductive: 0,
  hard_limit: 1,
  day_limit: 2,
  repeating: 3,
  pair_rate: 4,
});

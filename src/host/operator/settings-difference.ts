// What the log of the last week would have decided under other settings, compared with those in force. It runs beside the
// host: a page of records at a time, with a turn of the event loop in between. One comparison runs at a time; the next
// one ends it.
import type { AttentionSettings } from '../../attention/index.ts';
import type { DifferenceAnswer } from '../../protocol/settings-api.ts';
import type { ReplayDifference } from '../../protocol/operator-api.ts';
import type { Random } from '../../runtime/random.ts';
import type { LogRow } from '../../store/tables.ts';
import type { HostContext } from '../kernel/context.ts';
import { textOf } from '../kernel/log-row.ts';
import { DifferenceReport } from './differences.ts';
import { Refold, yieldToEventLoop } from './refold.ts';

export const DIFFERENCE_LIMITS = {
  periodMs: 7 * 24 * 3_600_000,
  /** Records that are decided. With more in the week, the newest count. */
  records: 20_000,
  /** Records before them that are folded first, so that conversations do not start empty. */
  warmUp: 5_000,
  /** Between two turns of the event loop. */
  page: 100,
  examples: 10,
  /** What became of so many is told afterwards, also of those that a newer one has ended. */
  kept: 16,
} as const;

export interface Difference {
  id: string;
  answer(): DifferenceAnswer;
  cancel(): void;
  /** Resolves when it is done or cancelled. */
  ended: Promise<DifferenceAnswer>;
}

export interface Differences {
  start(before: AttentionSettings, after: AttentionSettings): Difference;
  find(id: string): Difference | undefined;
}

export function createDifferences(
  context: Pick<HostContext, 'store' | 'clock' | 'log'>,
  random: Pick<Random, 'id'>,
  signal: AbortSignal,
): Differences {
  let last: Difference | undefined;
  const known = new Map<string, Difference>();
  const keep = (one: Difference): void => {
    known.set(one.id, one);
    const [oldest = ''] = known.keys();
    if (known.size > DIFFERENCE_LIMITS.kept) known.delete(oldest);
  };
  return {
    start(before, after) {
      last?.cancel();
      const ending = new AbortController();
      const either = AbortSignal.any([signal, ending.signal]);
      const work = new Comparison(before, after);
      const { promise, resolve } = Promise.withResolvers<DifferenceAnswer>();
      const one: Difference = {
        id: random.id(),
        answer: () => work.answer(),
        cancel: () => ending.abort(),
        ended: promise,
      };
      last = one;
      keep(one);
      decideWeekAgain(context, work, either)
        .catch((error: unknown) => {
          context.log.warn({ err: error }, 'the log could not be decided again');
          work.state = 'cancelled';
        })
        .finally(() => {
          const found = work.answer();
          if (known.has(one.id)) known.set(one.id, over(one.id, found));
          resolve(found);
        });
      return one;
    },
    find: (id) => known.get(id),
  };
}

/** Only the answer is kept. What was folded for it is large. */
function over(id: string, found: DifferenceAnswer): Difference {
  return { id, answer: () => found, cancel: () => undefined, ended: Promise.resolve(found) };
}

/** What is done with the records of the last week, one after the other. */
export interface WeekWork {
  state: DifferenceAnswer['state'];
  done: number;
  of: number;
  complete: boolean;
  /** A record from before the week. */
  warm(row: LogRow): void;
  fold(row: LogRow): void;
}

class Comparison implements WeekWork {
  state: DifferenceAnswer['state'] = 'running';
  done = 0;
  of = 0;
  complete = true;
  readonly #was: Refold;
  readonly #would: Refold;
  readonly #report = new DifferenceReport(false, 'turns');

  constructor(before: AttentionSettings, after: AttentionSettings) {
    this.#was = new Refold(before);
    this.#would = new Refold(after);
  }

  warm(row: LogRow): void {
    this.#was.fold(row);
    this.#would.fold(row);
  }

  fold(row: LogRow): void {
    const { event } = row.record;
    this.done++;
    this.#report.add({
      about: {
        at: row.at,
        author: event.author.displayName ?? event.author.id,
        conversation: event.conversation,
        text: textOf(row),
      },
      before: this.#was.fold(row),
      after: this.#would.fold(row),
      rosters: { before: this.#was.rosterOf(row), after: this.#would.rosterOf(row) },
    });
  }

  answer(): DifferenceAnswer {
    const { decisions, different, turnsAdded, turnsSaved, differences } = this.#report.answer();
    const { state, done, of, complete } = this;
    const some = (fits: (one: ReplayDifference) => boolean): ReplayDifference[] =>
      differences.filter(fits).slice(0, DIFFERENCE_LIMITS.examples);
    return {
      state,
      done,
      of,
      decisions,
      different,
      turnsAdded,
      turnsSaved,
      added: some((one) => turns(one).join() === 'false,true'),
      saved: some((one) => turns(one).join() === 'true,false'),
      otherwise: some((one) => new Set(turns(one)).size === 1),
      complete,
      words: wordsOf(different, decisions, complete),
    };
  }
}

const turns = ({ before, after }: ReplayDifference): readonly boolean[] => [
  before?.turn === true,
  after?.turn === true,
];

function wordsOf(different: number, decisions: number, complete: boolean): string {
  if (decisions === 0) return 'the last week has no decisions to compare with';
  const which = complete ? 'of the last week' : `of the newest ${DIFFERENCE_LIMITS.records} records`;
  return `${different} of ${decisions} decisions ${which} would differ`;
}

export async function decideWeekAgain(
  { store, clock }: Pick<HostContext, 'store' | 'clock'>,
  work: WeekWork,
  signal: AbortSignal,
): Promise<void> {
  const { periodMs, records, warmUp, page } = DIFFERENCE_LIMITS;
  const start = (await store.log.seek({ at: clock.now() - periodMs })) ?? Number.MAX_SAFE_INTEGER;
  const { before: older, total } = await store.log.extent(undefined, start);
  const left = Math.max(0, total - older - records);
  work.complete = left === 0;
  work.of = total - older - left;
  const from = older + left;
  const first = (await store.log.seek({ offset: from })) ?? Number.MAX_SAFE_INTEGER;
  const warm = await store.log.seek({ offset: Math.max(0, from - warmUp) });
  for (let at = (warm ?? first) - 1; work.done < work.of; ) {
    const { rows, reached } = await store.log.find({}, { after: at, limit: page });
    for (const row of rows) {
      if (row.position < first) work.warm(row);
      else if (work.done < work.of) work.fold(row);
    }
    if (reached === undefined) break;
    at = reached;
    await yieldToEventLoop();
    if (signal.aborted) {
      work.state = 'cancelled';
      return;
    }
  }
  work.state = 'done';
}

// Counts records and decisions of the log, grouped by time, conversation and decision. The store only counts; the
// caller knows what a group means (a turn, a turn saved).
import { outcomeOf } from './kept-outcome.ts';
import type { PackedDecision } from './log-match.ts';
import type { TurnUsage } from '../protocol/usage.ts';
import {
  TALLY_ENTRIES_MAX,
  TALLY_ROWS_MAX,
  type TallyEntry,
  type TallyQuery,
  type UsageSum,
} from './log-reader.ts';
import type { LogRow } from './tables.ts';

export class LogTally {
  readonly #query: TallyQuery;
  readonly #entries = new Map<string, TallyEntry>();
  #rows = 0;
  /** The time of the oldest row that was counted. */
  oldest: number;

  constructor(query: TallyQuery) {
    this.#query = query;
    this.oldest = query.to;
  }

  /**
   * Takes rows newest first. `over`: the row is before the period. `full`: a limit is reached, the row is not
   * counted.
   */
  add(row: LogRow): 'counted' | 'over' | 'full' {
    const { from, to, agent: wanted } = this.#query;
    if (row.at < from) return 'over';
    if (row.at >= to) return 'counted';
    if (this.#rows >= TALLY_ROWS_MAX || this.#entries.size >= TALLY_ENTRIES_MAX) return 'full';
    this.#rows++;
    this.oldest = row.at;
    const { event } = row.record;
    const chars = 'text' in event ? (event.text?.length ?? 0) : 0;
    const author = event.author.kind === 'agent' ? row.author : `${event.author.kind}:`;
    this.#count(row, { author }, chars, event.type === 'turn' ? event.usage : undefined);
    for (const { agents, outcome } of row.decisions as readonly PackedDecision[]) {
      const { policy, mode, claimFirst = false, trace } = outcomeOf(outcome);
      for (const agent of agents) {
        if (wanted !== undefined && agent !== wanted) continue;
        this.#count(row, { agent, policy, mode, claimFirst, rung: trace.rung }, chars);
      }
    }
    return 'counted';
  }

  entries(): TallyEntry[] {
    return [...this.#entries.values()].toSorted((a, b) => a.at - b.at);
  }

  #count(
    { at, conversation, type }: LogRow,
    what: Partial<Omit<TallyEntry, 'usage'>>,
    chars: number,
    usage?: TurnUsage,
  ): void {
    const { bucketMs } = this.#query;
    const group = { ...NOTHING, at: Math.floor(at / bucketMs) * bucketMs, conversation, type, ...what };
    const key = Object.values(group).join('\n');
    const entry = this.#entries.get(key) ?? { ...group, count: 0, chars: 0 };
    entry.count++;
    entry.chars += chars;
    if (usage !== undefined) entry.usage = sumOf(entry.usage, usage);
    this.#entries.set(key, entry);
  }
}

function sumOf(sum: UsageSum | undefined, usage: TurnUsage): UsageSum {
  const { inputTokens, outputTokens, cachedInputTokens = 0, costUsd = 0, source } = usage;
  return {
    inputTokens: (sum?.inputTokens ?? 0) + inputTokens,
    outputTokens: (sum?.outputTokens ?? 0) + outputTokens,
    cachedInputTokens: (sum?.cachedInputTokens ?? 0) + cachedInputTokens,
    estimatedTokens: (sum?.estimatedTokens ?? 0) + (source === 'estimated' ? inputTokens + outputTokens : 0),
    usd: (sum?.usd ?? 0) + costUsd,
  };
}

const NOTHING = { author: '', agent: '', policy: '', mode: '', rung: '', claimFirst: false };

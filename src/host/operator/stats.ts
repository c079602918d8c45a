// The turns that attention spent and saved over a period, from the store's counts. It compares them with two simple
// policies on the same messages: answer everything, and answer mentions only.
import { parseConversationKey } from '../kernel/conversation.ts';
import { type Decision, startsTurn } from '../../attention/index.ts';
import type { StatsAnswer, Tally } from '../../protocol/operator-api.ts';
import { CHARS_PER_TOKEN } from '../../protocol/turn-report.ts';
import type { Tallied, TallyEntry } from '../../store/log-reader.ts';
import { iso } from '../../protocol/log-record.ts';

export interface StatsPeriod {
  from: number;
  to: number;
  bucketMs: number;
}

export function statsOf(
  { entries, reached }: Tallied,
  period: StatsPeriod,
  agent: string | undefined,
): StatsAnswer {
  const charged = agentsCharged(entries);
  const totals = emptyCounts();
  const buckets = new Map<number, Counts>();
  const agents = new Map<string, Counts>();
  const conversations = new Map<string, Counts>();
  for (const entry of entries) {
    const counted = countsOf(entry, agent, charged);
    const who = entry.agent === '' ? speakerOf(entry) : entry.agent;
    add(totals, counted);
    add(at(buckets, entry.at), counted);
    add(at(conversations, entry.conversation), counted);
    if (who !== undefined && (agent === undefined || who === agent)) add(at(agents, who), counted);
  }
  return {
    from: iso(reached ?? period.from),
    to: iso(period.to),
    bucketMs: period.bucketMs,
    buckets: [...buckets]
      .toSorted(([a], [b]) => a - b)
      .map(([start, counts]) => ({ at: iso(start), ...tallyOf(counts) })),
    totals: tallyOf(totals),
    byAgent: [...agents].toSorted(byName).map(([id, counts]) => {
      const { messages: _, ...tally } = tallyOf(counts);
      return { agent: id, ...tally };
    }),
    byConversation: [...conversations].toSorted(byName).map(([key, counts]) => ({
      conversation: key,
      id: parseConversationKey(key).id,
      ...tallyOf(counts),
    })),
    complete: reached === undefined,
  };
}

/** Agents whose turns say what they cost. Of the others only the texts are known that they were handed. */
function agentsCharged(entries: readonly TallyEntry[]): ReadonlySet<string> {
  return new Set(entries.flatMap((entry) => (entry.usage === undefined ? [] : [speakerOf(entry) ?? ''])));
}

interface Counts {
  messages: number;
  turns: number;
  everything: number;
  mentions: number;
  missed: number;
  added: number;
  chars: number;
  answers: number;
  tokensIn: number;
  tokensOut: number;
  tokensCached: number;
  tokensEstimated: number;
  usd: number;
}

const emptyCounts = (): Counts => ({
  messages: 0,
  turns: 0,
  everything: 0,
  mentions: 0,
  missed: 0,
  added: 0,
  chars: 0,
  answers: 0,
  tokensIn: 0,
  tokensOut: 0,
  tokensCached: 0,
  tokensEstimated: 0,
  usd: 0,
});

function countsOf(entry: TallyEntry, wanted: string | undefined, charged: ReadonlySet<string>): Counts {
  const { type, count, rung, mode, agent } = entry;
  const counts = emptyCounts();
  if (agent === '') {
    if (type === 'turn') return { ...counts, ...costOf(entry, wanted) };
    if (type !== 'message') return counts;
    const speaker = speakerOf(entry);
    const answers = speaker !== undefined && (wanted === undefined || wanted === speaker) ? count : 0;
    return { ...counts, messages: count, answers };
  }
  // The store counts the fold's own decisions, so `policy` and `mode` are the fold's words.
  const outcome = entry as Pick<Decision, 'policy' | 'mode'>;
  const turn =
    startsTurn({ ...outcome, ...(entry.claimFirst ? { claimFirst: true } : {}) }) && rung !== 'fragment';
  const heard = type === 'message' && rung !== 'admission';
  const mention = heard && (rung === 'mention' || rung === 'direct_message');
  return {
    ...counts,
    turns: turn ? count : 0,
    everything: heard ? count : 0,
    mentions: mention ? count : 0,
    missed: turn && !mention ? count : 0,
    added: mention && !turn ? count : 0,
    chars: !charged.has(agent) && (mode === 'immediate' || mode === 'buffered') ? entry.chars : 0,
  };
}

function costOf(entry: TallyEntry, wanted: string | undefined): Partial<Counts> {
  const { usage } = entry;
  if (usage === undefined || (wanted !== undefined && speakerOf(entry) !== wanted)) return {};
  return {
    tokensIn: usage.inputTokens,
    tokensOut: usage.outputTokens,
    tokensCached: usage.cachedInputTokens,
    tokensEstimated: usage.estimatedTokens,
    usd: usage.usd,
  };
}

function speakerOf({ author }: TallyEntry): string | undefined {
  return author.startsWith('agent:') ? author.slice('agent:'.length) : undefined;
}

function tallyOf(counts: Counts): Tally {
  const { messages, turns, everything, mentions, missed, added, chars, answers, ...cost } = counts;
  const guessed = Math.round(chars / CHARS_PER_TOKEN);
  return {
    messages,
    turns,
    everythingTurns: everything,
    mentionTurns: mentions,
    savedEverything: everything - turns,
    mentionMissed: missed,
    mentionAdded: added,
    tokens: cost.tokensIn + cost.tokensOut + guessed,
    tokensIn: cost.tokensIn + guessed,
    tokensOut: cost.tokensOut,
    tokensCached: cost.tokensCached,
    tokensEstimated: cost.tokensEstimated + guessed,
    usd: Number(cost.usd.toFixed(6)),
    answers,
  };
}

function add(to: Counts, more: Counts): void {
  for (const name of Object.keys(to) as (keyof Counts)[]) to[name] += more[name];
}

function at<K>(counts: Map<K, Counts>, key: K): Counts {
  const known = counts.get(key) ?? emptyCounts();
  counts.set(key, known);
  return known;
}

function byName([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : 1;
}

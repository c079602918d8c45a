// Whether a row of the log matches a filter. Most rows are ruled out by their JSON text, before it is parsed: a row
// with the wanted reason has its letters in the text.
import { type KeptOutcome, type Outcome, outcomeOf } from './kept-outcome.ts';
import type { LogFilter } from './log-reader.ts';
import { containsRuns, foldWords, searchableText, soughtRuns } from './search-words.ts';
import type { LogRow } from './tables.ts';

/** What the host packs into a log row. */
export interface PackedDecision {
  agents: readonly string[];
  outcome: KeptOutcome | Outcome;
}

/** `words` is compared only when no index has compared it. */
export function logMatcher(filter: LogFilter, words: 'compared' | 'indexed'): (doc: string) => boolean {
  const needles = needlesOf(filter);
  const runs = words === 'compared' && filter.words !== undefined ? soughtRuns(filter.words) : undefined;
  const simple =
    needles.length === 0 && runs === undefined && filter.types === undefined && filter.author === undefined;
  if (simple) return () => true;
  return (doc) => {
    if (!needles.every((needle) => doc.includes(needle))) return false;
    const row = JSON.parse(doc) as LogRow;
    return isWanted(row, filter) && (runs === undefined || says(row, runs));
  };
}

/** Policies, reasons and decisions are plain words, so the text of a row has them as they are. */
function needlesOf({ agent, policy, reason, decision }: LogFilter): string[] {
  const needles = [policy, reason, decision].filter((word) => word !== undefined);
  return agent === undefined ? needles : [...needles, JSON.stringify(agent)];
}

function isWanted(row: LogRow, filter: LogFilter): boolean {
  const { types, author } = filter;
  if (types !== undefined && !types.includes(row.type)) return false;
  if (author !== undefined && !isBy(row, author)) return false;
  const { agent, policy, reason, decision } = filter;
  if (agent === undefined && policy === undefined && reason === undefined && decision === undefined)
    return true;
  return (row.decisions as readonly PackedDecision[]).some(({ agents, outcome }) => {
    if (agent !== undefined && !agents.includes(agent)) return false;
    const decided = outcomeOf(outcome);
    return (
      (policy === undefined || decided.policy === policy) &&
      (reason === undefined || decided.reason === reason) &&
      (decision === undefined || decided.decision === decision)
    );
  });
}

function isBy({ author, record }: LogRow, wanted: string): boolean {
  const { id, displayName } = record.event.author;
  return author === wanted || id === wanted || displayName?.toLowerCase() === wanted.toLowerCase();
}

function says(row: LogRow, runs: readonly (readonly string[])[]): boolean {
  const text = searchableText(row);
  return runs.length > 0 && text !== undefined && containsRuns(foldWords(text), runs);
}

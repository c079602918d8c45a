// Explains a decision to somebody who does not read code. It uses the same word tables as the trace, and leaves out the
// names of rules and rows. The headline and the last step are the trace's own.
import { type Decision, explainDecision, LADDER, type Roster, weighedSteps } from '../../attention/index.ts';
import {
  FACT_WORDS,
  INTENT_WORDS,
  LOWERING_WORDS,
  OTHER_RUNG_WORDS,
  ROW_WORDS,
  RUNG_WORDS,
} from '../../attention/trace-words.ts';
import type { ShownDecision, Told } from '../../protocol/operator-api.ts';
import { shownDecision } from './shown.ts';

export function decisionWords(decision: Decision, roster?: Roster): Told {
  const { headline, steps } = explainDecision(decision, roster);
  const { intent, trace } = decision;
  const words = whatDecided(decision, roster);
  if (intent !== 'statement' && trace.facts['intent'] === undefined)
    words.push(`The words read as ${INTENT_WORDS[intent]}.`);
  words.push(`Then this holds: ${ROW_WORDS[trace.row]}.`);
  for (const why of trace.lowered ?? []) words.push(`But it was lowered: ${LOWERING_WORDS[why]}.`);
  const end = steps.at(-1);
  return { headline, steps: end === undefined ? words : [...words, end] };
}

/** The decision together with its words; null when no decision was made. */
export function shownWithWords(
  decision: Decision | undefined,
  roster: Roster,
): (ShownDecision & Told) | null {
  return decision === undefined ? null : { ...shownDecision(decision), ...decisionWords(decision, roster) };
}

function whatDecided({ trace }: Decision, roster: Roster | undefined): string[] {
  const { rung, as } = trace;
  const facts = factsOf(trace.facts);
  if (rung === 'admission' || rung === 'amendment' || rung === 'act') {
    return [`${OTHER_RUNG_WORDS[rung]}${inBrackets(facts)}.`];
  }
  const passed: string[] = [];
  for (const { id } of LADDER) {
    if (id === rung) break;
    if (roster === undefined || roster.preset.rungs.has(id)) passed.push(RUNG_WORDS[id].asks);
  }
  if (as !== undefined) facts.push(`that message was for it because ${RUNG_WORDS[as].holds}`);
  const before = passed.length === 0 ? [] : [`Looked at first, and not the case: ${passed.join(', ')}.`];
  return [
    'The author may talk to this agent here.',
    ...before,
    `What decided: ${RUNG_WORDS[rung].holds}${inBrackets(facts)}.`,
    ...weighedSteps(trace.facts),
  ];
}

/** The facts that have words. The others are shown only in the trace. */
function factsOf(facts: Decision['trace']['facts']): string[] {
  return Object.entries(facts).flatMap(([name, value]) =>
    Object.hasOwn(FACT_WORDS, name) ? (FACT_WORDS[name]?.(value) ?? []) : [],
  );
}

function inBrackets(parts: readonly string[]): string {
  return parts.length === 0 ? '' : ` (${parts.join('; ')})`;
}

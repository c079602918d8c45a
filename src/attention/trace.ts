// Explains a decision in words, for somebody who does not read code. The decision itself holds only ids of rules and
// values of facts; this file makes sentences of them when somebody asks. Pure: the same decision gives the same words.
import type { Decision, Trace, TraceFact } from './decision.ts';
import { LADDER, type RungId } from './directedness.ts';
import type { Roster } from './roster.ts';
import { reasonSentences } from './scorer/reason-words.ts';
import {
  FACT_WORDS,
  INTENT_WORDS,
  LOWERING_WORDS,
  MODE_WORDS,
  OTHER_RUNG_WORDS,
  POLICY_WORDS,
  REASON_WORDS,
  ROW_WORDS,
  RUNG_WORDS,
} from './trace-words.ts';

export interface Explanation {
  headline: string;
  steps: string[];
}

/** With the conversation's roster, the rules that its preset ignores are left out. */
export function explainDecision(decision: Decision, roster?: Roster): Explanation {
  const { agent, policy, reason, trace } = decision;
  const steps = [...ladderSteps(trace, roster)];
  const { intent, notMeant } = trace.facts;
  if (decision.intent !== 'statement' && intent === undefined && notMeant === undefined) {
    steps.push(`The words read as ${INTENT_WORDS[decision.intent]}.`);
  }
  const row = notMeant === undefined ? ROW_WORDS[trace.row] : NOT_MEANT_ROW;
  steps.push(`Policy row "${trace.row}": ${row}.`);
  for (const why of trace.lowered ?? []) steps.push(`Lowered (${why}): ${LOWERING_WORDS[why]}.`);
  steps.push(`So ${meaning(decision)}.`);
  return { headline: `${agent} ${POLICY_WORDS[policy]}: ${reasonWords(reason, trace)}.`, steps };
}

/** The row is that of thanks, because the agent is to do the same. */
const NOT_MEANT_ROW = 'an agent that is told that it is not meant gives a reaction at most, never an answer';

/** A mention of a shared account has words of its own, unless something else decided what to do about it. So has "not you". */
function reasonWords(reason: Decision['reason'], { facts }: Trace): string {
  if (facts['notMeant'] !== undefined) return factWords({ notMeant: facts['notMeant'] }).join();
  const isCall = facts['door'] !== undefined && (reason === 'mention' || reason === 'role_mention');
  return isCall ? `it is ${factWords({ door: facts['door'] ?? '' }).join()}` : REASON_WORDS[reason];
}

function ladderSteps(trace: Trace, roster: Roster | undefined): string[] {
  const { rung } = trace;
  if (rung === 'admission' || rung === 'amendment' || rung === 'act') {
    return [`${OTHER_RUNG_WORDS[rung]}${inBrackets(factWords(trace.facts))}.`];
  }
  const passed: string[] = [];
  let number = 0;
  for (const step of LADDER) {
    if (step.id === rung) {
      number = step.number;
      break;
    }
    if (roster === undefined || roster.preset.rungs.has(step.id)) passed.push(RUNG_WORDS[step.id].asks);
  }
  const steps = ['The author may talk to this agent here.'];
  if (passed.length > 0) steps.push(`Looked at first, and not the case: ${passed.join(', ')}.`);
  const facts = factWords(
    Object.fromEntries(Object.entries(trace.facts).filter(([name]) => !WEIGHED.has(name))),
  );
  if (trace.as !== undefined) facts.push(`that message was for it because ${clause(trace.as)}`);
  steps.push(`Rule ${number} "${rung}" decided: ${RUNG_WORDS[rung].holds}${inBrackets(facts)}.`);
  return [...steps, ...weighedSteps(trace.facts)];
}

/** What the scorer leaves in a trace. It has sentences of its own. */
const WEIGHED: ReadonlySet<string> = new Set([
  'scorer',
  'probability',
  'from',
  'for',
  'against',
  'tip',
  'without',
  'notch',
  'likelier',
]);

/** How likely it was for the agent, the reasons on both sides, and what would have tipped it. */
export function weighedSteps({
  scorer,
  probability,
  from,
  for: pro,
  against,
  tip,
  without,
  notch,
  likelier,
}: Trace['facts']): string[] {
  if (typeof probability !== 'number' || typeof from !== 'number') return [];
  const steps = [
    `It is for this agent with a probability of ${percent(probability)}, weighed from how people here talk (version ${scorer}); ` +
      `the agent’s dial${notch === undefined ? '' : `, which somebody here set to ${notch},`} hears it from ${percent(from)} on.`,
  ];
  const [forIt, againstIt] = [reasonSentences(String(pro)), reasonSentences(String(against))];
  if (forIt.length > 0) steps.push(`For it: ${forIt.join('; ')}.`);
  if (againstIt.length > 0) steps.push(`Against it: ${againstIt.join('; ')}.`);
  if (likelier !== undefined)
    return [...steps, `${likelier} is likelier, and a line that calls nobody is for one.`];
  const [reason] = reasonSentences(String(tip ?? ''));
  if (reason === undefined || typeof without !== 'number') return steps;
  const tipped = probability >= from !== without >= from;
  steps.push(
    tipped
      ? `What would have tipped it: but for “${reason}” it would have been ${percent(without)}.`
      : `No single reason tipped it: but for “${reason}” it would still have been ${percent(without)}. A mention, a reply or its name would have decided it.`,
  );
  return steps;
}

const percent = (thousandths: number): string => `${Math.round(thousandths / 10)} %`;

const clause = (rung: RungId): string => RUNG_WORDS[rung].holds;
const inBrackets = (parts: readonly string[]): string => (parts.length === 0 ? '' : ` (${parts.join('; ')})`);

function factWords(facts: Trace['facts']): string[] {
  return Object.entries(facts).map(([name, value]: [string, TraceFact]) =>
    Object.hasOwn(FACT_WORDS, name) ? (FACT_WORDS[name]?.(value) ?? '') : `${name}: ${value}`,
  );
}

/** The last instant that a Date can hold. An event may have any time up to it. */
const LAST_MS = 8_640_000_000_000_000;

/** The result: what the agent does, and what its model sees. */
function meaning(decision: Decision): string {
  const { agent, policy, mode, claimFirst, heldUntil, notice, leadIn, decision: inbound } = decision;
  if (inbound === 'claim') return `Earshot consumes the code, and ${agent} ${MODE_WORDS.silent}`;
  const parts = [`${agent} ${POLICY_WORDS[policy]}, and ${MODE_WORDS[mode]}`];
  if (claimFirst === true) parts.push('it has to claim the message before it answers');
  if (heldUntil !== undefined)
    parts.push(`it waits until ${new Date(Math.min(heldUntil, LAST_MS)).toISOString()}`);
  if (leadIn !== undefined) {
    parts.push(
      leadIn.length === 1
        ? 'the author’s line just before belongs to it'
        : `the author’s ${leadIn.length} lines just before belong to it`,
    );
  }
  if (notice === 'loop')
    parts.push('it is told that it may stay silent, because agents are talking to agents');
  if (notice === 'group') parts.push('it is told that several people are here and that it may stay silent');
  return parts.join('; ');
}

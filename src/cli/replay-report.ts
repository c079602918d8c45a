// The three reports of a replay: blocks for people, one decision per line for machines, and the differences between two
// configurations. Each takes the folded events one by one and ends with a summary.
import { type Decision, sameOutcome } from '../attention/decision.ts';
import type { Fed, Folded, Replay } from '../attention/replay.ts';
import type { ChatEvent } from '../protocol/chat-event.ts';
import type { Io } from './io.ts';
import { blockText, outcomeText } from './replay-text.ts';
import { addTo, emptyTotals, plural, spendsTurn, totalsText } from './totals.ts';

export interface Report {
  tell(event: ChatEvent, fed: Extract<Fed, { type: 'folded' }>): Promise<void>;
  end(): Promise<void>;
}

export type DecisionFilter = (decision: Decision) => boolean;

export function jsonReport(io: Io, shown: DecisionFilter): Report {
  return {
    async tell(_, { decisions }) {
      for (const decision of decisions) {
        if (shown(decision)) await io.out(`${JSON.stringify(decisionRow(decision))}\n`);
      }
    },
    end: async () => {},
  };
}

export function humanReport(io: Io, shown: DecisionFilter, filtered: boolean): Report {
  const totals = emptyTotals();
  let day = '';
  async function block(folded: Folded, decisions: readonly Decision[]): Promise<void> {
    const text = blockText(folded, decisions, io.paint, io.columns);
    if (text === '') return;
    const today = new Date(folded.record.at).toISOString().slice(0, 10);
    if (today !== day) await io.out(`${io.paint('bold', `${today} (UTC)`)}\n`);
    day = today;
    await io.out(text);
  }
  return {
    async tell(event, fed) {
      const decisions = fed.decisions.filter(shown);
      addTo(totals, event, decisions);
      if (filtered && decisions.length === 0) return;
      for (const tick of fed.ticks) await block(tick, []);
      await block(fed, decisions);
    },
    end: () => io.out(`\n${totalsText(totals, io.paint)}`),
  };
}

interface Difference {
  eventId: string;
  agent: string;
  before: Decision | undefined;
  after: Decision | undefined;
}

/** Feeds the same events to a second replay and reports only what differs. */
export function differenceReport(io: Io, other: Replay, shown: DecisionFilter, json: boolean): Report {
  const summary = { turnsBefore: 0, turnsAfter: 0, turnsAdded: 0, turnsSaved: 0, decisions: 0, different: 0 };
  return {
    async tell(event, fed) {
      const after = other.feed(event);
      const pairs = paired(fed.decisions, after.type === 'folded' ? after.decisions : []);
      for (const pair of pairs.filter((one) => [one.before, one.after].some((side) => side && shown(side)))) {
        summary.decisions++;
        const [spent, spends] = [pair.before, pair.after].map(
          (side) => side !== undefined && spendsTurn(side),
        );
        if (spent === true) summary.turnsBefore++;
        if (spends === true) summary.turnsAfter++;
        if (spends === true && spent !== true) summary.turnsAdded++;
        if (spent === true && spends !== true) summary.turnsSaved++;
        if (pair.before && pair.after && sameOutcome(pair.before, pair.after)) continue;
        summary.different++;
        await io.out(json ? differenceRow(pair) : differenceText(pair, io));
      }
    },
    async end() {
      if (json) return io.out(`${JSON.stringify({ summary })}\n`);
      const { different, decisions, turnsBefore, turnsAfter, turnsAdded, turnsSaved } = summary;
      await io.out(
        `\n${different} of ${decisions} ${plural(decisions, 'decision')} differ\n` +
          `turns: ${turnsBefore} before, ${turnsAfter} after (${turnsAdded} added, ${turnsSaved} saved)\n`,
      );
    },
  };
}

const pairKey = ({ eventId, agent }: Decision): string => JSON.stringify([eventId, agent]);

/** By event and agent, in the order of the first replay, then what only the second has. */
function paired(before: readonly Decision[], after: readonly Decision[]): Difference[] {
  const pairs = new Map<string, Difference>();
  for (const decision of before) {
    const { eventId, agent } = decision;
    pairs.set(pairKey(decision), { eventId, agent, before: decision, after: undefined });
  }
  for (const decision of after) {
    const { eventId, agent } = decision;
    const pair = pairs.get(pairKey(decision));
    if (pair === undefined)
      pairs.set(pairKey(decision), { eventId, agent, before: undefined, after: decision });
    else pair.after = decision;
  }
  return [...pairs.values()];
}

const rowOrNull = (side: Decision | undefined): unknown => (side === undefined ? null : outcomeRow(side));

function differenceRow({ eventId, agent, before, after }: Difference): string {
  return `${JSON.stringify({ eventId, agent, before: rowOrNull(before), after: rowOrNull(after) })}\n`;
}

function differenceText({ eventId, agent, before, after }: Difference, { paint }: Io): string {
  // If both outcomes read the same, they differ in the intent.
  const alike = before && after && outcomeText(before) === outcomeText(after);
  const side = (one: Decision | undefined): string =>
    one === undefined ? '(not asked)' : alike ? `${outcomeText(one)} [${one.intent}]` : outcomeText(one);
  const turns = [before, after].map((one) => one !== undefined && spendsTurn(one));
  const colour = turns[0] === turns[1] ? 'dim' : turns[1] === true ? 'yellow' : 'green';
  const change = turns[0] === turns[1] ? '' : turns[1] === true ? '  +1 turn' : '  -1 turn';
  return `${eventId}  ${paint('bold', agent)}: ${side(before)} → ${side(after)}${paint(colour, change)}\n`;
}

/** A decision for machines: always the same keys in the same order, so two replays of one file are the same bytes. */
export function decisionRow(decision: Decision): Record<string, unknown> {
  const { eventId, agent } = decision;
  return { eventId, agent, ...outcomeRow(decision) };
}

/** Without the event and the agent: one side of a difference. */
function outcomeRow(decision: Decision): Record<string, unknown> {
  const { decision: inbound, directedness, policy, mode, reason, intent, trace } = decision;
  const row: Record<string, unknown> = {
    decision: inbound,
    directedness,
    policy,
    mode,
    reason,
    intent,
    trace,
  };
  for (const key of OPTIONAL) if (decision[key] !== undefined) row[key] = decision[key];
  return row;
}

const OPTIONAL = ['refersTo', 'notice', 'claimFirst', 'heldUntil', 'leadIn'] as const;

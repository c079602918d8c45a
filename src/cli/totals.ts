// Counts the turns of a replay, and what two simple policies would have spent on the same chat. A decision that starts
// a turn counts as one; a fragment joins the turn of the message it continues.
import { type Decision, startsTurn } from '../attention/decision.ts';
import type { ChatEvent } from '../protocol/chat-event.ts';
import { INBOUND_DECISIONS, type InboundDecision } from '../protocol/vocabulary.ts';
import type { Paint } from '../runtime/terminal.ts';

export interface Totals {
  messages: number;
  decisions: Record<InboundDecision, number>;
  turns: number;
  /** Every agent takes a turn on every message it may hear. */
  everythingTurns: number;
  /** An agent takes a turn on every direct message and every @mention, whatever it says. */
  mentionTurns: number;
}

export function emptyTotals(): Totals {
  const decisions = { engage: 0, observe: 0, denied: 0, claim: 0 };
  return { messages: 0, decisions, turns: 0, everythingTurns: 0, mentionTurns: 0 };
}

export function spendsTurn(decision: Decision): boolean {
  return startsTurn(decision) && decision.trace.rung !== 'fragment';
}

export function addTo(totals: Totals, event: ChatEvent, decisions: readonly Decision[]): void {
  const isMessage = event.type === 'message';
  if (isMessage) totals.messages++;
  for (const decision of decisions) {
    totals.decisions[decision.decision]++;
    if (spendsTurn(decision)) totals.turns++;
    const { rung } = decision.trace;
    if (!isMessage || rung === 'admission') continue;
    totals.everythingTurns++;
    if (rung === 'mention' || rung === 'direct_message') totals.mentionTurns++;
  }
}

export function totalsText(totals: Totals, paint: Paint): string {
  const { messages, turns, everythingTurns, mentionTurns } = totals;
  const all = Object.values(totals.decisions).reduce((sum, count) => sum + count, 0);
  const kinds = INBOUND_DECISIONS.map((kind) => `${totals.decisions[kind]} ${kind}`).join(', ');
  return [
    paint('bold', `${messages} ${plural(messages, 'message')}, ${all} ${plural(all, 'decision')}: ${kinds}`),
    paint('bold', `${turns} ${plural(turns, 'turn')} spent`),
    `  answer-everything: ${everythingTurns} (${compared(everythingTurns, turns)})`,
    `  mention-only: ${mentionTurns} (${compared(mentionTurns, turns)})`,
    '',
  ].join('\n');
}

function compared(other: number, turns: number): string {
  if (other === turns) return 'the same';
  return other > turns ? `${other - turns} saved` : `${turns - other} more spent here`;
}

export const plural = (count: number, word: string): string => (count === 1 ? word : `${word}s`);

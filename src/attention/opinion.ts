// The second opinion. Where the scorer is unsure whether a line is for an agent, the host may ask a small model once. The
// fold holds the delivery for the time that the record grants (`facts.opinion`), and folds the verdict as a record of its
// own. A replay reads both, so it needs no model. Without a verdict the scorer's own stands when the time is over.
import type { ChatEventOf } from '../protocol/chat-event.ts';
import type { Attended } from './attend.ts';
import { type Decision, startsTurn } from './decision.ts';
import { updateRecent } from './recent.ts';
import type { Roster } from './roster.ts';
import { SURE } from './scorer/bands.ts';
import { type AttentionState, shortKey } from './state.ts';

/** The scorer let the agent hear the line and was not sure, so a second opinion might have been asked. */
export function isUnsure(decision: Decision): boolean {
  const { directedness, trace } = decision;
  const { probability } = trace.facts;
  if (directedness !== 'to_me' || typeof probability !== 'number') return false;
  return trace.rung === 'exchange' && probability < SURE && startsTurn(decision);
}

/** A line that turned out not to be for the agent is not what it goes on with either. */
export function attendOpinion(
  state: AttentionState,
  { targetEventId, agent: id, verdict }: ChatEventOf<'opinion'>,
  roster: Roster,
): Attended {
  const agent = roster.byIdentity.get(id);
  if (agent === undefined) return { state, decisions: [], effects: [] };
  const effects = [{ type: 'opinion', agent: agent.id, eventId: targetEventId, verdict } as const];
  const event = shortKey(targetEventId);
  const about = state.recent.find((one) => one.event === event);
  if (verdict === 'for' || about === undefined) return { state, decisions: [], effects };
  const without = <T extends { agent: string }>(addressed: readonly T[]): T[] =>
    addressed.filter((one) => one.agent !== agent.key);
  const next = updateRecent(state, event, { addressed: without(about.addressed) });
  const windows = next.windows.map((window) =>
    window.author === about.author ? { ...window, addressed: without(window.addressed) } : window,
  );
  return { state: { ...next, windows }, decisions: [], effects };
}

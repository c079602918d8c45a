// Reading a log row: its text without secrets, the message it is about, and what was decided about it. Decisions are
// stored as outcome → agents, so a hundred quiet agents share one outcome and cost one entry. The trace is stored with
// the outcome, so `why` can always answer.
import { type Decision, putsTask, sameDecision } from '../../attention/index.ts';
import type { KeptOutcome } from '../../store/kept-outcome.ts';
import type { LogRow } from '../../store/tables.ts';
import { redact } from '../security/redact.ts';
import { keepDecision, keptOutcome } from './outcomes.ts';

export interface PackedOutcome {
  agents: string[];
  outcome: KeptOutcome;
}

export function packDecisions(decisions: readonly Decision[]): PackedOutcome[] {
  const packed: (PackedOutcome & { of: Decision })[] = [];
  for (const decision of decisions) {
    const same = packed.find(({ of }) => sameDecision(of, decision));
    if (same === undefined)
      packed.push({ agents: [decision.agent], outcome: keepDecision(decision).kept, of: decision });
    else same.agents.push(decision.agent);
  }
  return packed.map(({ agents, outcome }) => ({ agents, outcome }));
}

/** What was decided about a logged event for one agent; undefined when there was no decision for that agent. */
export function decisionForAgent(
  { key, decisions }: Pick<LogRow, 'key' | 'decisions'>,
  agent: string,
): Decision | undefined {
  for (const { agents, outcome } of decisions as PackedOutcome[]) {
    if (agents.includes(agent)) return { eventId: key, agent, ...keptOutcome(outcome) };
  }
  return undefined;
}

/** Whether the logged message is another agent's and put a question or a task to this one. */
export function putsTaskTo(row: LogRow | undefined, agent: string | undefined): boolean {
  if (row === undefined || agent === undefined || !row.author.startsWith('agent:')) return false;
  const decision = decisionForAgent(row, agent);
  return decision !== undefined && putsTask(decision);
}

export function unpackDecisions(packed: readonly unknown[], eventId: string): Decision[] {
  return (packed as PackedOutcome[]).flatMap(({ agents, outcome }) =>
    agents.map((agent) => ({ eventId, agent, ...keptOutcome(outcome) })),
  );
}

/** The message that an event is about: an edit is about the message it edits, any other event about itself. */
export function subjectOf({ key, record: { event } }: Pick<LogRow, 'key' | 'record'>): string {
  return event.type === 'edit' ? event.targetEventId : key;
}

/** Whether the text of a message was removed because somebody deleted the message. What an agent says is never empty. */
export function isDeleted({ record: { event } }: Pick<LogRow, 'record'>): boolean {
  return event.type === 'message' && event.text === undefined;
}

/** The text without the secrets that were found when it was stored. */
export function textOf(logged: LogRow): string {
  const { event } = logged.record;
  const text = 'text' in event ? (event.text ?? '') : '';
  return logged.secrets.length === 0 ? text : redact(text, logged.secrets);
}

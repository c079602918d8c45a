// Replay for people: a block per event with the message as a line and the decisions under it. Agents with the same
// outcome share a line. Chat is untrusted, so its text is made printable and pairing codes are hidden.
import type { Decision, Effect } from '../attention/decision.ts';
import type { Folded } from '../attention/replay.ts';
import type { ChatEvent } from '../protocol/chat-event.ts';
import { displayName, printableLine } from '../protocol/identity.ts';
import type { InboundDecision } from '../protocol/vocabulary.ts';
import { type Colour, cutToWidth, type Paint } from '../runtime/terminal.ts';

const CHIPS: Record<InboundDecision, { mark: string; colour: Colour }> = {
  engage: { mark: '●', colour: 'green' },
  observe: { mark: '○', colour: 'dim' },
  denied: { mark: '✕', colour: 'red' },
  claim: { mark: '◆', colour: 'magenta' },
};
const ORDER = Object.keys(CHIPS);
const INDENT = ' '.repeat(10);
const TEXT_CHARS = 400;
const AGENTS_NAMED = 8;

/** Empty for events without anything to show, such as a typing sign or the end of a turn. */
export function blockText(
  { record, decisions, effects }: Folded,
  shown: readonly Decision[],
  paint: Paint,
  columns: number,
): string {
  const done = effects.flatMap(effectWords);
  if (record.event.type !== 'message' && shown.length === 0 && done.length === 0) return '';
  const { event, at } = record;
  const time = new Date(at).toISOString().slice(11, 19);
  const secret = decisions.some(({ decision }) => decision === 'claim');
  const said = secret ? '[pairing code]' : hideClaimCodes(printableLine(saidIn(event), TEXT_CHARS));
  const head = cutToWidth(`${placeOf(event)}  ${nameOf(event)}: ${said}`, columns - INDENT.length);
  const lines = [`${paint('dim', time)}  ${head}`];
  for (const { agents, outcome, kind } of chips(shown)) {
    const { mark, colour } = CHIPS[kind];
    lines.push(`${INDENT}${paint(colour, `${mark} ${agentList(agents)}: ${outcome}`)}`);
  }
  for (const words of done) lines.push(`${INDENT}${paint('yellow', `→ ${words}`)}`);
  return `${lines.join('\n')}\n`;
}

/** A hundred quiet agents are one line. */
function agentList(agents: readonly string[]): string {
  const rest = agents.length - AGENTS_NAMED;
  return rest > 1 ? `${agents.slice(0, AGENTS_NAMED).join(', ')} and ${rest} more` : agents.join(', ');
}

interface Chip {
  kind: InboundDecision;
  outcome: string;
  agents: string[];
}

export function chips(decisions: readonly Decision[]): Chip[] {
  const byOutcome = new Map<string, Chip>();
  for (const decision of decisions) {
    const { agent, decision: kind } = decision;
    const outcome = outcomeText(decision);
    const chip = byOutcome.get(`${kind} ${outcome}`);
    if (chip === undefined) byOutcome.set(`${kind} ${outcome}`, { kind, outcome, agents: [agent] });
    else chip.agents.push(agent);
  }
  // Agents that act come first, then the quiet ones.
  return [...byOutcome.values()].toSorted((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));
}

export function outcomeText({ policy, mode, reason, claimFirst, heldUntil, notice }: Decision): string {
  const more = [
    ...(claimFirst === true ? ['claim first'] : []),
    ...(heldUntil === undefined ? [] : ['held']),
    ...(notice === undefined ? [] : [`${notice} notice`]),
  ];
  return `${policy} ${mode} ${reason}${more.length === 0 ? '' : ` (${more.join(', ')})`}`;
}

function placeOf({ conversation }: ChatEvent): string {
  const id = displayName(conversation.id, 24);
  return conversation.kind === 'channel' ? `#${id}` : `${conversation.kind} ${id}`;
}

function nameOf({ author }: ChatEvent): string {
  return displayName(author.displayName ?? author.id, 24) || '(no name)';
}

export function hideClaimCodes(text: string): string {
  // A code in full-width letters counts too, because admission normalizes the text the same way.
  const folded = text.normalize('NFKC');
  const blotted = folded.replace(/claim-[a-z0-9]{4}-[a-z0-9]{4}/gi, 'claim-****-****');
  return blotted === folded ? text : blotted;
}

function saidIn(event: ChatEvent): string {
  switch (event.type) {
    case 'message':
      return event.text ?? (event.attachments === undefined ? '(no text)' : '(attachment)');
    case 'edit':
      return `(edits ${event.targetEventId}) ${event.text ?? ''}`;
    case 'delete':
      return `(deletes ${event.targetEventId})`;
    case 'reaction':
      return `(${event.removed === true ? 'takes back' : 'reacts with'} "${event.signal}" on ${event.targetEventId})`;
    case 'claim':
      return `(${event.op ?? 'claim'}s ${event.targetEventId ?? 'the conversation'})`;
    case 'mode':
      return `(sets mode ${event.mode})`;
    case 'progress':
      return `(progress) ${event.text ?? ''}`;
    case 'escalation':
      return `(${event.blockedOn} does not answer: ${event.recipient} is asked now)`;
    case 'correction':
      return `(${event.agent} ${event.label.replaceAll('_', ' ')}: ${event.targetEventId})`;
    case 'opinion':
      return `(a second opinion: ${event.targetEventId} is ${event.verdict === 'for' ? '' : 'not '}for ${event.agent})`;
    case 'tick':
      return '(time passes)';
    case 'membership':
    case 'typing':
    case 'focus':
    case 'disengage':
    case 'turn':
    case 'resolve':
      return `(${event.type})`;
  }
}

function effectWords(effect: Effect): string[] {
  switch (effect.type) {
    case 'acknowledge':
      return [`Earshot acknowledges for ${effect.agent} (${effect.template})`];
    case 'signal':
      return [`${effect.agent} reacts with "${effect.signal}"`];
    case 'cancel_turn':
      return [`${effect.agent}'s turn is cancelled (${effect.why})`];
    case 'supersede':
      return [`what waited for ${effect.agent} is withdrawn (${effect.why})`];
    case 'amend':
      return [`what waits for ${effect.agent} gets the new text`];
    case 'escalate':
      return [`escalated: a loop between ${effect.agents.join(', ')} is stopped (${effect.cause})`];
    case 'mode':
      return [`${effect.agent} is now in mode ${effect.mode}`];
    case 'dial':
      return [`${effect.agent} now has its dial at ${effect.notch} here`];
    case 'opinion':
      return [
        `a second opinion ${effect.verdict === 'for' ? 'gives it to' : 'leaves alone'} ${effect.agent}`,
      ];
    case 'claim_granted':
      return [`${effect.agent} has the claim`];
    case 'claim_refused':
      return [`${effect.agent} does not get the claim (${effect.why})`];
    case 'claim_released':
      return [`the claim of ${effect.agent.replace(/^@/, '')} is over (${effect.why})`];
    case 'refused':
      return [`mode of ${effect.agent} not set: the limit of ${effect.limit} is reached`];
  }
}

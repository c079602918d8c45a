// Says why an agent was not asked about an event: the host has no such agent, the agent is not bound there, it wrote
// the event itself, or the event asks nobody.
import type { Roster } from '../../attention/index.ts';
import type { ChatEvent, ChatEventType } from '../../protocol/chat-event.ts';
import type { WhyAgent } from '../../protocol/operator-api.ts';
import type { LogRow } from '../../store/tables.ts';

type Unasked = Pick<WhyAgent, 'status' | 'headline' | 'steps'>;

const ASKS_NOBODY: Record<ChatEventType, string> = {
  message: 'it was not among those who are asked here when it was said',
  edit: 'the edit changes nothing for it',
  delete: 'what was deleted was not for it, or is not known here',
  reaction: 'the reaction answers nothing that it asked',
  membership: 'somebody came or went, which is remembered and asks nobody',
  typing: 'somebody was typing, which only lets a turn wait',
  progress: 'it is a progress report of its own',
  claim: 'an agent took or gave back a message, which is remembered and asks nobody else',
  mode: 'somebody said when an agent is to speak, which is obeyed and asks nobody',
  focus: 'an agent asked to be left alone, which is obeyed and asks nobody',
  disengage: 'an agent withdrew from its exchanges, which is remembered and asks nobody',
  turn: 'a turn began or ended, which is remembered and asks nobody',
  resolve: 'something was marked as resolved, which is remembered and asks nobody',
  escalation: 'an answer that is owed was asked of somebody else, who alone is told',
  correction:
    'somebody said what an agent should have done, which is kept for `earshot tune` and asks nobody',
  opinion: 'a model was asked whether something was for an agent, who alone is concerned',
  tick: 'time passed: claims that had run out were freed',
};

export interface WhyContext {
  row: LogRow;
  roster: Roster;
  /** The ids of all agents of the host. */
  agents: readonly string[];
  configVersion: string;
}

export function unaskedWords({ row, roster, agents, configVersion }: WhyContext, agent: string): Unasked {
  const { event, facts } = row.record;
  const where = `"${event.conversation.title ?? event.conversation.id}"`;
  if (!agents.includes(agent)) {
    return {
      status: 'unknown_agent',
      headline: `${agent} is not an agent of this host.`,
      steps: [`This host has ${agents.join(', ') || 'no agents'}.`],
    };
  }
  if (isAuthor(event, roster, agent)) {
    return {
      status: 'author',
      headline: `${agent} was not asked: it wrote this itself.`,
      steps: ['A message is never delivered to its own author.'],
    };
  }
  if (!roster.agents.some(({ id }) => id === agent)) {
    return {
      status: 'not_bound',
      headline: `${agent} was not asked: it is not bound to conversation ${where}.`,
      steps: ['It hears only the conversations that its configuration names: see agents[].conversations.'],
    };
  }
  const why =
    facts.origin === 'backfill' && event.type === 'message'
      ? 'this is history, which is read and not decided'
      : ASKS_NOBODY[event.type];
  const changed =
    facts.configVersion !== undefined && facts.configVersion !== configVersion
      ? ['The configuration has been changed since then.']
      : [];
  return { status: 'unasked', headline: `${agent} was not asked: ${why}.`, steps: changed };
}

function isAuthor({ author }: ChatEvent, roster: Roster, agent: string): boolean {
  return author.kind !== 'human' && (roster.byIdentity.get(author.id)?.id ?? author.id) === agent;
}

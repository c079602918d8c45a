// The part of a prompt that stays the same from turn to turn, so that a provider can cache it. What changes least comes
// first: the rules, who the agent is, then who is in this conversation. Names are the only thing here that people
// wrote, and they are sanitized.
import { displayName, headerWord, ID_SHOWN_CHARS, identity, idShown } from '../protocol/identity.ts';
import type { TurnConversation } from './event.ts';
import type { Names, Participants } from './names.ts';
import { type ModelTools, standingRules } from './rules.ts';

/** Who the agent is, as the host says when a session begins. */
export interface AgentIdentity {
  /** What people call it besides its id. */
  name?: string;
  aliases: readonly string[];
  roles: readonly string[];
  /** The agent that it reports to. */
  lead?: string;
}
export const UNKNOWN_IDENTITY: AgentIdentity = { aliases: [], roles: [] };

export interface PrefixInput {
  agent: string;
  identity: AgentIdentity;
  tools: ModelTools;
  conversation: TurnConversation;
  participants: Participants;
  names: Names;
}

const WORD_CHARS = ID_SHOWN_CHARS;

export function renderPrefix(input: PrefixInput): string {
  const { agent, identity: self, tools } = input;
  return [standingRules(tools), renderSelf(agent, self), here(input)]
    .filter((section) => section !== '')
    .join('\n\n');
}

/** The same in every conversation. */
export function renderSelf(agent: string, { name, aliases, roles, lead }: AgentIdentity): string {
  if (agent === '') return '';
  const called = [...new Set([name ?? '', ...aliases].map((word) => displayName(word)))].filter(
    (word) => word !== '' && word.toLowerCase() !== agent.toLowerCase(),
  );
  const fields: [string, readonly string[]][] = [
    ['also_called', called],
    ['roles', roles.map((role) => headerWord(role, WORD_CHARS))],
    ['lead', lead === undefined ? [] : [headerWord(identity('agent', lead), WORD_CHARS)]],
  ];
  return [
    'YOU',
    `You are ${headerWord(identity('agent', agent), WORD_CHARS)}, an agent in a chat with people and other agents.`,
    ...fields.flatMap(([field, words]) => (words.length === 0 ? [] : [`${field}: ${words.join(', ')}`])),
  ].join('\n');
}

function here({ conversation, participants, names }: PrefixInput): string {
  const { list, more } = participants;
  if (list.length === 0) return '';
  const lines = list.map((one) => {
    const name = names.of(one);
    const shown = displayName(one.displayName ?? '');
    if (one.kind === 'agent')
      return shown === '' || shown.toLowerCase() === one.id.toLowerCase()
        ? `- ${name}`
        : `- ${name}, called ${shown}`;
    const id = idShown(one.kind, one.id, WORD_CHARS);
    return name === `${one.kind}:${id}` || name.endsWith(`(${id})`) ? `- ${name}` : `- ${name}, id ${id}`;
  });
  const rest = more === 0 ? [] : [`- and ${more} more`];
  const where = `${conversation.kind} ${headerWord(conversation.threadId ?? conversation.id, WORD_CHARS)}`;
  return [`HERE (${where}: agents, then people)`, ...lines, ...rest].join('\n');
}

// Reads a message once for all agents: everything that does not depend on which agent is asked. Explicit targets come
// from the surface (mentions, replies, recipients) and from the text (@names, names).
import type { ChatEvent, ChatEventOf, MessageEvent } from '../protocol/chat-event.ts';
import type { LogRecord } from '../protocol/log-record.ts';
import type { Directedness, Intent } from '../protocol/vocabulary.ts';
import { readIntent } from './intent/intent.ts';
import {
  type Humans,
  type LiveExchange,
  type Party,
  effectiveHumans,
  liveExchange,
  mayBeCut,
} from './participants.ts';
import { recall, windowOf } from './recent.ts';
import type { Roster, RosterAgent } from './roster.ts';
import { type AttentionState, type Window, shortKey } from './state.ts';
import { calls, containsName, endsOf, foldText, namesIn, textMentions } from './text.ts';

/** Subtypes of logs and platform notices. Their words do not matter. */
const STRUCTURAL = new Set(['log', 'progress', 'join', 'leave']);

export interface Heard {
  record: LogRecord;
  state: AttentionState;
  roster: Roster;
  author: Party & { agent: RosterAgent | undefined };
  folded: string;
  /** Agents tagged with an @, as the surface resolved them or by the longest name that fits. */
  mentioned: ReadonlySet<string>;
  /** The message tags an agent or a person. Roles and broadcasts do not count. */
  tagsSomebody: boolean;
  /** The message calls the whole room: by @here and the like, or by tagging very many agents. */
  toAll: boolean;
  /** The first tagged person, or tagged agent of somebody else. */
  tagsPerson: string | undefined;
  roles: ReadonlySet<string>;
  /** Agents whose name is in the text. */
  named: ReadonlySet<string>;
  /** The person called by name at the start or end of the message. Never one of our agents. */
  calls: string | undefined;
  /** Somebody else's agent that has spoken here and whose name is in the text. */
  peer: string | undefined;
  /** The key of the author whose message it replies to. */
  repliesTo: string | undefined;
  /** Agents that it is assigned to, or that its sender named as the recipient. */
  recipients: ReadonlySet<string>;
  obliges: boolean;
  structural: boolean;
  declared: Directedness | undefined;
  intent: Intent;
  humans: Humans;
  exchange: LiveExchange | undefined;
  window: Window | undefined;
}

/** The parts of a message or an edit that are read. */
export type Said = Partial<
  Pick<
    MessageEvent,
    'text' | 'mentions' | 'subtype' | 'replyTo' | 'inReplyTo' | 'recipients' | 'target' | 'obligation'
  >
>;

export function readMessage(state: AttentionState, record: LogRecord, said: Said, roster: Roster): Heard {
  const author = partyOf(record.event, roster);
  const folded = foldText(said.text ?? '');
  const { mentioned, roles, tagsPerson, toAll } = readTags(said, folded, author.kind, roster);
  const named = namedAgents(folded, roster);
  const aimsAtAgent = mentioned.size > 0 || named.size > 0;
  return {
    record,
    state,
    roster,
    author,
    folded,
    mentioned,
    tagsSomebody: tagsPerson !== undefined || mentioned.size > 0,
    toAll,
    tagsPerson,
    roles,
    named,
    calls: aimsAtAgent || !roster.preset.namesPeople ? undefined : calledPerson(state, author.key, folded),
    peer: namedPeer(state, author.key, folded, roster),
    repliesTo: replyTarget(state, said, roster),
    recipients: recipientsOf(said, roster),
    obliges: said.obligation !== undefined,
    structural: said.subtype !== undefined && STRUCTURAL.has(said.subtype),
    declared: author.kind === 'agent' ? said.target?.directedness : undefined,
    intent: intentOf(said, folded, author.kind, mentioned, named, roster),
    humans: effectiveHumans(state, record, author, roster.limits),
    exchange: liveExchange(state, author.key, record.at, roster.limits),
    window: windowOf(state, author.key, record.at),
  };
}

export function partyOf(event: ChatEvent, roster: Roster): Heard['author'] {
  const { id, kind, displayName } = event.author;
  const agent = kind === 'human' ? undefined : roster.byIdentity.get(id);
  return { key: agent?.key ?? shortKey(id), kind: agent === undefined ? kind : 'agent', displayName, agent };
}

/** The agent that an act is about. An agent acts only for itself. People and the console act for any agent. */
export function concerned(event: ChatEventOf<'mode' | 'disengage'>, roster: Roster): RosterAgent | undefined {
  const author = partyOf(event, roster).agent;
  return author ?? (event.agent === undefined ? undefined : roster.byIdentity.get(event.agent));
}

/** The key of an identity: `agent:lead`, `human:U1`, or a bare id. */
export function keyOf(identity: string, roster: Roster): string {
  const agent = roster.byIdentity.get(identity);
  return agent?.key ?? shortKey(identity.replace(/^(?:human|agent):/, ''));
}

const NOBODY: ReadonlySet<string> = new Set();

function readTags(said: Said, folded: string, authorKind: string, roster: Roster) {
  const { mentions = [] } = said;
  const tags = folded.includes('@') ? textMentions(folded, roster.names.mentionable) : [];
  if (mentions.length === 0 && tags.length === 0) return NO_TAGS;
  const mentioned = new Set<string>();
  let roles: Set<string> | undefined;
  let broadcast = false;
  let tagsPerson: string | undefined;
  for (const mention of mentions) {
    if (mention.kind === 'role') roles = (roles ?? new Set()).add(mention.id);
    else if (mention.kind === 'broadcast') broadcast = true;
    else if (mention.kind === 'human') tagsPerson ??= keyOf(mention.id, roster);
    else {
      const agent = roster.byIdentity.get(mention.id);
      if (agent === undefined) tagsPerson ??= keyOf(mention.id, roster);
      else mentioned.add(agent.key);
    }
  }
  for (const id of tags) {
    if (id === 'broadcast') broadcast = true;
    else if (id.startsWith('role:')) roles = (roles ?? new Set()).add(id.slice('role:'.length));
    else mentioned.add(roster.byIdentity.get(id)?.key ?? id);
  }
  if (broadcast && roster.broadcastRole !== undefined) roles = (roles ?? new Set()).add(roster.broadcastRole);
  // A human who tags many agents at once calls the room, not each of them.
  const crowd = authorKind === 'human' && mentioned.size > roster.limits.mentionedAgents;
  return {
    mentioned: crowd ? NOBODY : mentioned,
    roles: roles ?? NOBODY,
    tagsPerson,
    toAll: broadcast || crowd,
  };
}

const NO_TAGS = { mentioned: NOBODY, roles: NOBODY, tagsPerson: undefined, toAll: false };

/** In the order of the roster, not of the text. */
function namedAgents(folded: string, { names, preset, limits, known }: Roster): ReadonlySet<string> {
  const found = namesIn(folded, names.spoken, preset.names === 'bounded');
  if (found.size < 2) return found;
  if (found.size > limits.mentionedAgents) return NOBODY;
  return new Set(known.filter(({ key }) => found.has(key)).map(({ key }) => key));
}

function calledPerson(state: AttentionState, author: string, folded: string): string | undefined {
  let longest = '';
  let key: string | undefined;
  const ends = endsOf(folded);
  for (const speaker of state.speakers) {
    const { name } = speaker;
    if (name.length > longest.length && speaker.key !== author && calls(folded, name, ends)) {
      longest = name;
      key = speaker.key;
    }
  }
  return key;
}

/** Peers need no configuration: they are known once they have spoken, by the display name they had. */
function namedPeer(
  state: AttentionState,
  author: string,
  folded: string,
  roster: Roster,
): string | undefined {
  const bounded = roster.preset.names === 'bounded';
  for (const { key, kind, name } of state.speakers) {
    if (kind !== 'agent' || name === '' || key === author || roster.byKey.has(key)) continue;
    if (bounded ? containsName(folded, name, mayBeCut(name)) : folded.includes(name)) return key;
  }
  return undefined;
}

function replyTarget(state: AttentionState, said: Said, roster: Roster): string | undefined {
  const { replyTo, inReplyTo } = said;
  if (replyTo?.authorId !== undefined) return keyOf(replyTo.authorId, roster);
  const eventId = replyTo?.eventId ?? inReplyTo;
  return eventId === undefined ? undefined : recall(state, eventId)?.author;
}

function recipientsOf(said: Said, roster: Roster): ReadonlySet<string> {
  const { recipients = [], target } = said;
  const one = target?.recipient;
  if (recipients.length === 0 && one === undefined) return NOBODY;
  const named = one === undefined ? recipients : [...recipients, one];
  return new Set(named.map((identity) => keyOf(identity, roster)));
}

function intentOf(
  said: Said,
  folded: string,
  authorKind: Party['kind'],
  mentioned: ReadonlySet<string>,
  named: ReadonlySet<string>,
  roster: Roster,
): Intent {
  if (!roster.preset.readsIntent) return 'statement';
  const names = mentioned.size + named.size === 0 ? NO_NAMES : namesOf(mentioned, named, roster);
  return readIntent({ text: said.text ?? '', folded, authorKind, subtype: said.subtype, names });
}

const NO_NAMES: readonly string[] = [];

/** All names of the agents that the message tags or names, in the order of the roster. */
function namesOf(
  mentioned: ReadonlySet<string>,
  named: ReadonlySet<string>,
  { known }: Roster,
): readonly string[] {
  let names = NO_NAMES;
  for (const agent of known) {
    if (!mentioned.has(agent.key) && !named.has(agent.key)) continue;
    names = names.length === 0 ? agent.names : [...names, ...agent.names];
  }
  return names;
}

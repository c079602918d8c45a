// Reads a message once for all agents: everything that does not depend on which agent is asked. Explicit targets come
// from the surface (mentions, replies, recipients) and from the author's own words (@names, names that call).
import type { ChatEvent, ChatEventOf, MessageEvent } from '../protocol/chat-event.ts';
import type { LogRecord, RecordFacts } from '../protocol/log-record.ts';
import type { Directedness, Intent } from '../protocol/vocabulary.ts';
import { ownerOf } from './accounts.ts';
import { type Call, calledIn } from './called.ts';
import { type Direct, readDirect } from './direct.ts';
import { askingSentences, onlyOffers } from './intent/asking.ts';
import { type AgentRequest, type ReadText, readText } from './intent/intent.ts';
import { EXPECTS } from './matrix.ts';
import { readMentions } from './mentions.ts';
import { ownWords } from './own-words.ts';
import {
  type Humans,
  type LineKind,
  type LiveExchange,
  type Party,
  effectiveHumans,
  liveExchange,
} from './participants.ts';
import { recall, windowOf } from './recent.ts';
import type { Roster, RosterAgent } from './roster.ts';
import { taggedSpeaker } from './spoken-names.ts';
import { type AttentionState, type Window, shortKey } from './state.ts';
import { foldText, namesIn, withoutTags } from './text.ts';

/** Subtypes of logs and platform notices. Their words do not matter. */
const STRUCTURAL = new Set(['log', 'progress', 'join', 'leave']);

export interface Heard {
  record: LogRecord;
  state: AttentionState;
  roster: Roster;
  author: Party & { agent: RosterAgent | undefined };
  folded: string;
  /** The author's own words, folded: the text without code and quotations. */
  spoken: string;
  /** Agents tagged with an @, as the surface resolved them or by the longest name that fits. */
  mentioned: ReadonlySet<string>;
  /** Their names stand first, with a mark, before something that expects an answer: "lead: is it green?". */
  hailed: boolean;
  /** The message tags an agent or a person. Roles and broadcasts do not count. */
  tagsSomebody: boolean;
  /** The message calls the whole room: by @here and the like, or by tagging very many agents. */
  toAll: boolean;
  /** The first tagged person, or tagged agent of somebody else. */
  tagsPerson: string | undefined;
  roles: ReadonlySet<string>;
  /** Agents that are called by name, at the start or the end. Preset typeclaw: whose name is anywhere in the text. */
  named: ReadonlySet<string>;
  namedAt: Call['at'] | undefined;
  /** The person called by name at the start or end of the message. Never one of our agents. */
  calls: string | undefined;
  /** Preset typeclaw: somebody else's agent that has spoken here and whose name is in the text. */
  peer: string | undefined;
  /** The key of the author whose message it replies to. */
  repliesTo: string | undefined;
  /** The author of the thread's root, where that is all it replies to: platforms name the root on every message. */
  underRoot: string | undefined;
  /** Agents that it is assigned to, or that its sender named as the recipient. */
  recipients: ReadonlySet<string>;
  /** Set in a direct message of two, and in a thread of one. */
  direct: Direct | undefined;
  obliges: boolean;
  structural: boolean;
  declared: Directedness | undefined;
  intent: Intent;
  /** What it asks of the agent itself: to leave, to stop, another mode. */
  asks: AgentRequest | undefined;
  /** An agent wrote it and asks or tells its reader something. An offer of help asks nothing. */
  asksAgents: boolean;
  humans: Humans;
  exchange: LiveExchange | undefined;
  /** A question mark and no word: "??". */
  nudges: boolean;
  window: Window | undefined;
}

/** The parts of a message or an edit that are read. */
export type Said = Partial<
  Pick<
    MessageEvent,
    | 'text'
    | 'mentions'
    | 'mentionsResolved'
    | 'subtype'
    | 'replyTo'
    | 'inReplyTo'
    | 'recipients'
    | 'target'
    | 'obligation'
  >
>;

export function readMessage(state: AttentionState, record: LogRecord, said: Said, roster: Roster): Heard {
  const author = partyOf(record.event, roster);
  const { text = '' } = said;
  const own = ownWords(text);
  const folded = foldText(text);
  const spoken = own === text ? folded : foldText(own);
  const { mentioned, roles, toAll, ...tags } = readTags(said, spoken, author.kind, roster, record.facts);
  const { named, calls, peer, call, tagged } = readNames(
    state,
    author.key,
    { folded, spoken },
    said.mentionsResolved === true,
    roster,
  );
  const tagsPerson = tags.tagsPerson ?? tagged;
  const tagsSomebody = tagsPerson !== undefined || mentioned.size > 0;
  const { intent, asks } = readWords(said, spoken, author.kind, mentioned, named, roster);
  const hailed = call?.marked === true && named.size > 0 && EXPECTS.has(intent);
  const line = lineKind(spoken, intent);
  // Without words it may be a message that was deleted since: a rebuilt state must not take it for an answer.
  const joins = record.event.conversation.kind === 'thread' && spoken !== '';
  const recipients = recipientsOf(said, roster, record.facts);
  return {
    record,
    state,
    roster,
    author,
    folded,
    spoken,
    mentioned,
    hailed,
    tagsSomebody,
    toAll,
    tagsPerson,
    roles,
    named,
    namedAt: call?.at,
    calls: tagsSomebody ? undefined : calls,
    peer,
    ...replyTarget(state, record, said, roster),
    recipients,
    direct: readDirect({ state, record, roster, author, recipients, mentioned, named }),
    obliges: said.obligation !== undefined,
    structural: said.subtype !== undefined && STRUCTURAL.has(said.subtype),
    declared: author.kind === 'agent' ? said.target?.directedness : undefined,
    intent,
    asks,
    asksAgents: author.kind === 'agent' && asksFor(intent, spoken),
    humans: effectiveHumans(state, record, author, roster.limits),
    exchange: liveExchange(state, author.key, record.at, roster.limits, line, joins),
    nudges: line === 'nudges',
    window: windowOf(state, author.key, record.at),
  };
}

function lineKind(spoken: string, intent: Intent): LineKind {
  if (spoken.includes('?') && !HAS_WORD.test(spoken)) return 'nudges';
  return intent === 'question' || intent === 'request' ? 'asks' : 'tells';
}

const HAS_WORD = /[\p{L}\p{N}]/u;

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

/** The key of an identity: `agent:lead`, `human:U1`, or a bare id. An account of an agent is that agent. */
export function keyOf(identity: string, roster: Roster, facts: RecordFacts): string {
  const id = identity.replace(/^(?:human|agent):/, '');
  const agent = roster.byIdentity.get(identity) ?? ownerOf(id, roster, facts);
  return agent?.key ?? shortKey(id);
}

const NOBODY: ReadonlySet<string> = new Set();

function readTags(said: Said, spoken: string, authorKind: string, roster: Roster, facts: RecordFacts) {
  const mentions = readMentions(said, spoken, roster, facts);
  if (mentions.length === 0) return NO_TAGS;
  const mentioned = new Set<string>();
  let roles: Set<string> | undefined;
  let broadcast = false;
  let tagsPerson: string | undefined;
  for (const { kind, id } of mentions) {
    const agent = kind === 'agent' ? roster.byIdentity.get(id) : undefined;
    if (agent !== undefined) mentioned.add(agent.key);
    else if (kind === 'role') roles = (roles ?? new Set()).add(id);
    else if (kind === 'broadcast') broadcast = true;
    else tagsPerson ??= keyOf(id, roster, facts);
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

interface NamesRead {
  named: ReadonlySet<string>;
  calls: string | undefined;
  peer: string | undefined;
  call: Call | undefined;
  /** Somebody who has spoken here, written with an @ after the first word. */
  tagged: string | undefined;
}

const NO_NAMES_READ: NamesRead = {
  named: NOBODY,
  calls: undefined,
  peer: undefined,
  call: undefined,
  tagged: undefined,
};

function readNames(
  state: AttentionState,
  author: string,
  { folded, spoken }: { folded: string; spoken: string },
  resolved: boolean,
  roster: Roster,
): NamesRead {
  const { names, preset } = roster;
  if (preset.names === 'substring') {
    const text = resolved ? withoutTags(folded) : folded;
    const named = inOrder(namesIn(text, names.spoken), roster);
    return { ...NO_NAMES_READ, named, peer: namedPeer(state, author, text, roster) };
  }
  const known = { agents: names.spoken, tags: names.mentionable, speakers: state.speakers, author, resolved };
  const tagged = spoken.includes('@', 1) && !resolved ? taggedSpeaker(spoken, known) : undefined;
  const call = calledIn(spoken, known);
  if (call === undefined) return tagged === undefined ? NO_NAMES_READ : { ...NO_NAMES_READ, tagged };
  const agents = new Set(call.keys.filter((key) => roster.byKey.has(key)));
  const calls = agents.size > 0 ? undefined : call.keys[0];
  return { named: inOrder(agents, roster), calls, peer: undefined, call, tagged };
}

/** In the order of the roster, not of the text. Very many names call nobody in particular. */
function inOrder(found: ReadonlySet<string>, { limits, known }: Roster): ReadonlySet<string> {
  if (found.size < 2) return found;
  if (found.size > limits.mentionedAgents) return NOBODY;
  return new Set(known.filter(({ key }) => found.has(key)).map(({ key }) => key));
}

/** Peers need no configuration: they are known once they have spoken, by the display name they had. */
function namedPeer(
  state: AttentionState,
  author: string,
  folded: string,
  roster: Roster,
): string | undefined {
  for (const { key, kind, name } of state.speakers) {
    if (kind !== 'agent' || name === '' || key === author || roster.byKey.has(key)) continue;
    if (folded.includes(name)) return key;
  }
  return undefined;
}

function replyTarget(
  state: AttentionState,
  { event: { conversation }, facts }: LogRecord,
  said: Said,
  roster: Roster,
): Pick<Heard, 'repliesTo' | 'underRoot'> {
  const { replyTo, inReplyTo } = said;
  const eventId = replyTo?.eventId ?? inReplyTo;
  if (eventId === undefined) return NO_REPLY;
  const author = replyTo?.authorId === undefined ? undefined : keyOf(replyTo.authorId, roster, facts);
  const isRoot = eventId === conversation.id || state.root?.key === shortKey(eventId);
  if (conversation.kind === 'thread' && isRoot && inReplyTo === undefined && !roster.preset.rootIsReply) {
    return { repliesTo: undefined, underRoot: author ?? state.root?.author };
  }
  return { repliesTo: author ?? recall(state, eventId)?.author, underRoot: undefined };
}

const NO_REPLY = { repliesTo: undefined, underRoot: undefined } as const;

function recipientsOf(said: Said, roster: Roster, facts: RecordFacts): ReadonlySet<string> {
  const { recipients = [], target } = said;
  const one = target?.recipient;
  if (recipients.length === 0 && one === undefined) return NOBODY;
  const named = one === undefined ? recipients : [...recipients, one];
  return new Set(named.map((identity) => keyOf(identity, roster, facts)));
}

function readWords(
  said: Said,
  spoken: string,
  authorKind: Party['kind'],
  mentioned: ReadonlySet<string>,
  named: ReadonlySet<string>,
  roster: Roster,
): ReadText {
  if (!roster.preset.readsIntent) return NOTHING_READ;
  const names = mentioned.size + named.size === 0 ? NO_NAMES : namesOf(mentioned, named, roster);
  return readText({ text: said.text ?? '', folded: spoken, authorKind, subtype: said.subtype, names });
}

const NOTHING_READ: ReadText = { intent: 'statement', asks: undefined };

/** What an agent may ask of another. */
export const TASKS: ReadonlySet<Intent> = new Set([
  'question',
  'request',
  'urgent',
  'safety',
  'blocker',
  'cancel',
  'stop',
  'leave',
  'mode_change',
]);

function asksFor(intent: Intent, spoken: string): boolean {
  if (intent === 'question' || intent === 'request')
    return !onlyOffers(spoken) && askingSentences(spoken).length > 0;
  return TASKS.has(intent);
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

// Reads a message once for all agents: everything that does not depend on which agent is asked. Explicit targets come
// from the surface (mentions, replies, recipients) and from the author's own words (@names, names that call).
import type { ChatEvent, ChatEventOf, MessageEvent } from '../protocol/chat-event.ts';
import type { LogRecord, RecordFacts } from '../protocol/log-record.ts';
import type { Directedness, Intent } from '../protocol/vocabulary.ts';
import type { Call } from './called.ts';
import { callsIn } from './called-later.ts';
import { type Direct, readDirect } from './direct.ts';
import { type Door, type SharedAccount, atFrontDoor, sharedAccount, withoutAccounts } from './front-door.ts';
import { askingSentences, onlyOffers } from './intent/asking.ts';
import { type AgentRequest, type ReadText, readText } from './intent/intent.ts';
import { EXPECTS, TASKS } from './matrix.ts';
import { meantInstead } from './not-meant.ts';
import { ownWords } from './own-words.ts';
import {
  type Humans,
  type LineKind,
  type LiveExchange,
  type Party,
  effectiveHumans,
  liveExchange,
} from './participants.ts';
import { windowOf } from './recent.ts';
import type { Roster, RosterAgent } from './roster.ts';
import { type Judge, judgeOf } from './scorer/judge.ts';
import { type ReadLine, readLine } from './scorer/line.ts';
import { taggedSpeaker } from './spoken-names.ts';
import { readTags, recipientsOf, replyTarget } from './targets.ts';
import { type AttentionState, type Speaker, type Window, shortKey } from './state.ts';
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
  /** A call of an account that several agents share, and which of them it is for. */
  door: Door | undefined;
  /** The agents of whom one wrote it, where all that is known is the account that they share. */
  writers: ReadonlySet<string>;
  /** The platform said whom it tags. */
  resolved: boolean;
  /** Their names stand first, with a mark, before something that expects an answer: "lead: is it green?". */
  hailed: boolean;
  /** The message tags an agent or a person. Roles and broadcasts do not count. */
  tagsSomebody: boolean;
  /** The message calls the whole room: by @here and the like, or by tagging very many agents. */
  toAll: boolean;
  /** The first tagged person, or tagged agent of somebody else. */
  tagsPerson: string | undefined;
  roles: ReadonlySet<string>;
  /** Agents that are called by name, where a sentence begins or the message ends. Preset typeclaw: whose name is anywhere in the text. */
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
  /** Its form and what it is about. Read when first asked for. */
  line: () => ReadLine;
  /** Says how likely it is for an agent. Undefined where only explicit signs and the exchange table count. */
  judge: Judge | undefined;
  /** The agents among the last speakers: the scorer judges no others. */
  talkers: readonly Speaker[];
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
  const tags = readTags(said, spoken, author.kind, roster, record.facts);
  const { roles, toAll, accounts } = tags;
  const resolved = said.mentionsResolved === true;
  const { recipients, among } = recipientsOf(said, roster, record.facts);
  const callers = among.length === 0 ? accounts : [...accounts, ...among];
  const read = callers.length === 0 ? { folded, spoken } : besideAccounts(folded, spoken, callers, record);
  const { named, calls, peer, call, tagged } = readNames(state, author, read, resolved, roster);
  const { intent, asks } = readWords(said, spoken, author.kind, record.facts, tags.mentioned, named, roster);
  const line = lineKind(spoken, intent);
  // Without words it may be a message that was deleted since: a rebuilt state must not take it for an answer.
  const joins = record.event.conversation.kind === 'thread' && spoken !== '';
  const replies = replyTarget(state, record, said, roster);
  const exchange = liveExchange(state, author.key, record.at, roster.limits, line, joins);
  const context = { state, record, roster, author, named, mentioned: tags.mentioned, recipients, among };
  const direct = readDirect(context);
  const called = direct === undefined && callers.length > 0;
  const door = called ? atFrontDoor(callers, { ...context, ...replies, exchange }) : undefined;
  const nobody = called && door === undefined ? shortKey(callers[0]?.id ?? '') : undefined;
  const tagsPerson = tags.tagsPerson ?? tagged ?? nobody;
  const mentioned = door === undefined ? tags.mentioned : withCalled(tags.mentioned, door);
  const tagsSomebody = tagsPerson !== undefined || mentioned.size > 0 || door !== undefined;
  const lineRead = once(() => readLine(spoken, folded));
  // Without a spread: the members of a plain literal have fixed places, and every decision reads them.
  return {
    record,
    state,
    roster,
    author,
    named,
    folded,
    spoken,
    mentioned,
    door,
    writers: author.agent === undefined ? writersOf(record, roster) : NOBODY,
    resolved,
    hailed: call?.marked === true && named.size > 0 && EXPECTS.has(intent),
    tagsSomebody,
    toAll,
    tagsPerson,
    roles,
    namedAt: call?.at,
    calls: tagsSomebody ? undefined : calls,
    peer,
    repliesTo: replies.repliesTo,
    underRoot: replies.underRoot,
    recipients,
    direct,
    obliges: said.obligation !== undefined,
    structural: said.subtype !== undefined && STRUCTURAL.has(said.subtype),
    declared: author.kind === 'agent' ? said.target?.directedness : undefined,
    intent,
    asks,
    asksAgents: author.kind === 'agent' && asksFor(intent, spoken),
    humans: effectiveHumans(state, record, author, roster.limits),
    exchange,
    nudges: line === 'nudges',
    window: windowOf(state, author.key, record.at),
    line: lineRead,
    judge: judgeFor(context, lineRead, exchange),
    talkers: talkersOf(state),
  };
}

function once<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

const NO_TALKERS: readonly Speaker[] = [];

function talkersOf({ speakers }: AttentionState): readonly Speaker[] {
  let found: Speaker[] | undefined;
  for (const speaker of speakers) {
    if (speaker.kind !== 'agent') continue;
    found ??= [];
    found.push(speaker);
  }
  return found ?? NO_TALKERS;
}

/** The scorer has learned from people. What agents say to each other is left to the exchange table. */
function judgeFor(
  { state, record: { at, facts }, roster, author }: Pick<Heard, 'state' | 'record' | 'roster' | 'author'>,
  line: () => ReadLine,
  live: LiveExchange | undefined,
): Judge | undefined {
  if (facts.scorer === undefined || author.kind !== 'human' || !roster.preset.scores) return undefined;
  return judgeOf(facts.scorer, { state, author: author.key, at, line, live, agents: roster.known });
}

/** The words as names are looked for in them: without the tags of shared accounts. */
function besideAccounts(
  folded: string,
  spoken: string,
  accounts: readonly SharedAccount[],
  { facts }: LogRecord,
): { folded: string; spoken: string } {
  const beside = withoutAccounts(spoken, accounts, facts);
  return { spoken: beside, folded: folded === spoken ? beside : withoutAccounts(folded, accounts, facts) };
}

/** Whom a call at the front door is for, beside those who are mentioned by themselves. */
function withCalled(mentioned: ReadonlySet<string>, door: Door): ReadonlySet<string> {
  return door.way === 'offered' ? mentioned : new Set([...mentioned, ...door.keys]);
}

function writersOf({ event, facts }: LogRecord, roster: Roster): ReadonlySet<string> {
  if (event.author.kind !== 'agent') return NOBODY;
  const account = sharedAccount(event.author.id, roster, facts);
  return account === undefined ? NOBODY : new Set(account.holders.map(({ key }) => key));
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

const NOBODY: ReadonlySet<string> = new Set();

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
  author: Heard['author'],
  { folded, spoken }: { folded: string; spoken: string },
  resolved: boolean,
  roster: Roster,
): NamesRead {
  const { names, preset } = roster;
  if (preset.names === 'substring') {
    const text = resolved ? withoutTags(folded) : folded;
    const named = inOrder(namesIn(text, names.spoken), roster);
    return { ...NO_NAMES_READ, named, peer: namedPeer(state, author.key, text, roster) };
  }
  const { speakers } = state;
  const known = { agents: names.spoken, tags: names.mentionable, speakers, author: author.key, resolved };
  const tagged = spoken.includes('@', 1) && !resolved ? taggedSpeaker(spoken, known) : undefined;
  const call = meantInstead(state, author, spoken, known, roster) ?? callsIn(spoken, known);
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

function readWords(
  said: Said,
  spoken: string,
  authorKind: Party['kind'],
  { accounts }: RecordFacts,
  mentioned: ReadonlySet<string>,
  named: ReadonlySet<string>,
  roster: Roster,
): ReadText {
  if (!roster.preset.readsIntent) return NOTHING_READ;
  const agents = mentioned.size + named.size === 0 ? NO_NAMES : namesOf(mentioned, named, roster);
  const names = accounts === undefined ? agents : [...agents, ...accounts.map(({ name }) => foldText(name))];
  return readText({ text: said.text ?? '', folded: spoken, authorKind, subtype: said.subtype, names });
}

const NOTHING_READ: ReadText = { intent: 'statement', asks: undefined };

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

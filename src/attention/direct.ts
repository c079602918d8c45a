// Direct messages: which agent one is with. A direct message of two is for its party alone, and so is a thread in it. A
// source may name the agent (recipient, mention). Otherwise it is the one the author talks with there, the only one it
// can be, or the default responder. Where none of these tells, all are asked to choose: nobody is left without a word.
import type { SharedAccount } from './front-door.ts';
import type { Heard } from './heard.ts';
import type { Roster, RosterAgent } from './roster.ts';
import { type AttentionState, findSpeaker } from './state.ts';

export interface Direct {
  /** The key of the agent that it is for. Undefined: it is for none of ours, or they have to choose. */
  party: string | undefined;
  /** The keys of several agents that could be meant, when nothing tells which. */
  choose: ReadonlySet<string> | undefined;
  /** It is said in a thread of the direct message. */
  thread: boolean;
}

type Said = Pick<Heard, 'state' | 'record' | 'roster' | 'author' | 'recipients' | 'mentioned' | 'named'> & {
  /** The accounts that it is with, where several agents share them. Empty: it is with any agent. */
  among: readonly SharedAccount[];
};

/** Undefined: this is no direct message, or one of more than two, or no agent takes direct messages. */
export function readDirect(said: Said): Direct | undefined {
  const { record, roster, author, state } = said;
  const { kind } = record.event.conversation;
  const parent = record.facts.parent?.direct;
  if (kind !== 'dm' && (kind !== 'thread' || parent === undefined)) return undefined;
  const speaks = (agent: RosterAgent): boolean =>
    said.among.length === 0 || said.among.some(({ holders }) => holders.includes(agent));
  const candidates = roster.agents.filter(
    (agent) => agent.triggers.dm && agent.key !== author.key && speaks(agent),
  );
  const read = record.facts.membership ?? state.membership;
  if (candidates.length === 0 || !isOfTwo(state, read, roster, author.key)) return undefined;
  const thread = kind === 'thread' || record.event.conversation.parentId !== undefined;
  const party = partyFor(said, candidates);
  if (party === 'choose')
    return { party: undefined, choose: new Set(candidates.map(({ key }) => key)), thread };
  const takes = candidates.some(({ key }) => key === party);
  return { party: takes ? party : undefined, choose: undefined, thread };
}

/** Whether the agent may hear it. A direct message between two is for nobody else, whomever it names. */
export function hearsDirect(direct: Direct | undefined, agent: RosterAgent): boolean {
  if (direct === undefined) return true;
  return agent.key === direct.party || direct.choose?.has(agent.key) === true;
}

/** The key of the agent that is meant, 'choose' when nothing tells. Undefined: somebody else is meant. */
function partyFor(said: Said, candidates: readonly RosterAgent[]): string | undefined {
  const { recipients, mentioned, named, state, roster, author } = said;
  for (const key of recipients) if (roster.byKey.has(key)) return key;
  if (recipients.size > 0) return undefined;
  const isCandidate = (key: string): boolean => candidates.some((agent) => agent.key === key);
  const called = [...mentioned, ...named].find(isCandidate);
  if (called !== undefined && hasSpoken(state, called)) return called;
  // What an agent says to a person is for that person.
  if (author.agent !== undefined && people(state, roster).size > 0) return undefined;
  if (candidates.length === 1) return candidates[0]?.key;
  // In a direct message with somebody else a name is talk about its bearer.
  const known = knownParty(said) ?? called;
  if (known !== undefined) return known;
  const responder = candidates.find(({ id }) => id === roster.defaultResponder);
  if (responder !== undefined) return responder.key;
  return author.agent === undefined ? 'choose' : undefined;
}

function knownParty({ state, record, roster, author }: Said): string | undefined {
  const here = talkedWith(state, record.at, roster, author.key);
  if (here !== undefined) return here;
  const above = record.facts.parent?.direct?.party;
  return above === undefined ? undefined : roster.byIdentity.get(above)?.key;
}

/** The agent that has claimed something here, or that the author talks with, or that spoke last. */
function talkedWith(
  state: AttentionState,
  at: number,
  { byKey }: Roster,
  author: string | undefined,
): string | undefined {
  const claim = state.claims.find(({ agent, until }) => until > at && agent !== author);
  if (claim !== undefined) return claim.agent;
  const partner = author === undefined ? undefined : findSpeaker(state, author)?.partner;
  if (partner !== undefined && byKey.get(partner)?.bound === true) return partner;
  let last: { key: string; spokeN: number } | undefined;
  for (const agent of state.agents) {
    if (agent.key !== author && agent.spokeN > (last?.spokeN ?? 0)) last = agent;
  }
  return last?.key;
}

function hasSpoken(state: AttentionState, agent: string): boolean {
  return state.agents.some(({ key, spokeN }) => key === agent && spokeN > 0);
}

/** Who has spoken, without our own agents: those may share the account that the direct message is with. */
function people(state: AttentionState, { byKey }: Roster, author?: string): ReadonlySet<string> {
  const keys = state.speakers.map(({ key }) => key);
  if (author !== undefined) keys.push(author);
  return new Set(keys.filter((key) => !byKey.has(key)));
}

/** A complete membership read is the truth. Without one, a second person who has spoken makes it a channel. */
function isOfTwo(
  state: AttentionState,
  read: AttentionState['membership'],
  roster: Roster,
  author?: string,
): boolean {
  if (read !== null && read.humans + read.agents > 2) return false;
  if (read?.complete === true || roster.preset.dmByKind) return true;
  return state.forgotten.humans === 0 && people(state, roster, author).size <= 1;
}

/** What the records of a thread say about the direct message it is in. Undefined when that is not one of two. */
export function directFacts(
  state: AttentionState,
  at: number,
  roster: Roster,
): { party?: string } | undefined {
  if (!isOfTwo(state, state.membership, roster)) return undefined;
  const [person] = people(state, roster);
  const party = talkedWith(state, at, roster, person);
  const id = party === undefined ? undefined : roster.byKey.get(party)?.id;
  return id === undefined ? {} : { party: id };
}

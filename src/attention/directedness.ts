// The ladder decides whether a message is aimed at an agent. It is a table of rungs, checked from the top; the first
// that holds decides. A rung returns the facts it used, so the decision can be explained.
import type { Directedness, Reason } from '../protocol/vocabulary.ts';
import type { TraceFact } from './decision.ts';
import type { DoorWay } from './front-door.ts';
import type { Heard } from './heard.ts';
import { modeOf } from './modes.ts';
import { putsRight } from './not-meant.ts';
import { type LiveExchange, hasCredit } from './participants.ts';
import type { RosterAgent } from './roster.ts';
import type { Band } from './scorer/bands.ts';
import { judged } from './scorer/weigh.ts';
import { agentState } from './state.ts';

export type RungId =
  | 'self'
  | 'obligation'
  | 'left'
  | 'direct_message'
  | 'mention'
  | 'reply'
  | 'assignment'
  | 'fragment'
  | 'exchange'
  | 'name'
  | 'role_mention'
  | 'addressed_elsewhere'
  | 'agent_no_task'
  | 'owned_thread'
  | 'solo_human'
  | 'thread_question'
  | 'thread_participation'
  | 'ambient';

export type Facts = Readonly<Record<string, TraceFact>>;

export interface Rung {
  /** Its number in the ladder, as traces show it. */
  number: number;
  id: RungId;
  directedness: Directedness;
  /** Whether the rung still counts in mode `mention_only`. */
  explicit: boolean;
  /** Returns the facts when it holds, undefined when it does not. The match may give a more exact `reason`. */
  holds: (heard: Heard, agent: RosterAgent) => Match | undefined;
}

export interface Match {
  facts: Facts;
  reason?: Reason;
  directedness?: Directedness;
  /** For a fragment: the rung of the message that it continues. */
  inherits?: RungId;
  /** How sure the scorer is that the agent is meant, where it was asked. */
  band?: Exclude<Band, 'not'>;
}

const NO_FACTS: Match = { facts: {} };
const when = (holds: boolean, facts?: Facts): Match | undefined =>
  holds ? (facts === undefined ? NO_FACTS : { facts }) : undefined;

const CHOOSE: Match = { facts: { choose: true }, directedness: 'to_my_role' };
const IN_THREAD: Match = { facts: { inThread: true } };
const DECLARED: Facts = { declared: true };
const HAILED: Facts = { hailed: true };
const NAMED_AT: Record<NonNullable<Heard['namedAt']>, Facts> = {
  head: { namedAt: 'head' },
  end: { namedAt: 'end' },
  later: { namedAt: 'later' },
};

export const LADDER: readonly Rung[] = [
  rung(0, 'self', 'to_other', true, (heard, agent) =>
    when(heard.author.key === agent.key || heard.writers.has(agent.key)),
  ),
  rung(1, 'obligation', 'to_me', true, (heard, agent) =>
    when(heard.obliges && heard.recipients.has(agent.key)),
  ),
  rung(2, 'left', 'to_other', true, (heard, agent) =>
    when(modeOf(heard, agent) === 'left' && !callsBack(heard, agent)),
  ),
  rung(3, 'direct_message', 'to_me', true, (heard, agent) =>
    heard.direct === undefined || isQuiet(heard, agent) ? undefined : directMessage(heard, agent),
  ),
  rung(4, 'mention', 'to_me', true, mention),
  rung(5, 'reply', 'to_me', true, reply),
  rung(6, 'assignment', 'to_me', true, (heard, agent) =>
    when(heard.recipients.has(agent.key) && !(namesParty(heard) && isQuiet(heard, agent))),
  ),
  rung(7, 'fragment', 'to_me', false, fragment),
  rung(8, 'exchange', 'to_me', false, exchange),
  rung(9, 'name', 'to_me', true, (heard, agent) =>
    when(heard.named.has(agent.key), heard.namedAt === undefined ? undefined : NAMED_AT[heard.namedAt]),
  ),
  rung(10, 'role_mention', 'to_my_role', true, roleMention),
  rung(11, 'addressed_elsewhere', 'to_other', true, (heard, agent) => aimedElsewhere(heard, agent)),
  rung(12, 'agent_no_task', 'to_other', false, (heard, agent) => {
    if (heard.author.kind !== 'agent' || hasTask(heard) || isToTheFloor(heard)) return undefined;
    if (owns(heard, agent) || (isForTheThread(heard) && participates(heard, agent))) return undefined;
    return { facts: { intent: heard.intent } };
  }),
  rung(13, 'owned_thread', 'to_my_role', false, (heard, agent) => {
    if (agent.ownsConversation) return { facts: {}, reason: 'owned_thread' };
    return agent.ownsStream ? { facts: {}, reason: 'owned_stream' } : undefined;
  }),
  rung(14, 'solo_human', 'to_me', false, soloHuman),
  rung(15, 'thread_question', 'to_me', false, threadQuestion),
  rung(16, 'thread_participation', 'to_my_role', false, (heard, agent) => {
    if (isForTheThread(heard)) return when(participates(heard, agent), DECLARED);
    return when(isThread(heard) && hasSpoken(heard, agent));
  }),
  rung(17, 'ambient', 'ambient', true, weighed),
];

export interface Direction {
  rung: Rung;
  directedness: Directedness;
  reason: Reason;
  facts: Facts;
  /** The rung that the matrix uses. For a fragment it is the inherited one. */
  as: RungId;
  band: Match['band'];
}

/** Only a tag or a recipient aims a log line, or a message in a system or tool conversation, at an agent. */
const AIMS_A_NOTICE: ReadonlySet<RungId> = new Set([
  'self',
  'obligation',
  'left',
  'mention',
  'assignment',
  'ambient',
]);

/** The first match wins. `explicitOnly` is for edits: new words can aim a message at an agent, circumstances cannot. */
export function climbLadder(heard: Heard, agent: RosterAgent, explicitOnly = false): Direction {
  const narrow = explicitOnly || modeOf(heard, agent) === 'mention_only';
  const notice = isNotice(heard);
  for (const step of heard.roster.ladder) {
    if ((narrow && !step.explicit && !asksBack(heard)) || (notice && !AIMS_A_NOTICE.has(step.id))) continue;
    const match = step.holds(heard, agent);
    if (match === undefined) continue;
    return {
      rung: step,
      directedness: match.directedness ?? step.directedness,
      reason: match.reason ?? step.id,
      facts: match.facts,
      as: match.inherits ?? step.id,
      band: match.band,
    };
  }
  throw new Error('the last rung of the ladder always holds');
}

function rung(
  number: number,
  id: RungId,
  directedness: Directedness,
  explicit: boolean,
  holds: Rung['holds'],
): Rung {
  return { number, id, directedness, explicit, holds };
}

function isTagged(heard: Heard, agent: RosterAgent): boolean {
  return agent.triggers.mention && heard.mentioned.has(agent.key);
}

/** A tag, an assignment, or a request to come back that names the agent. */
function callsBack(heard: Heard, agent: RosterAgent): boolean {
  if (isTagged(heard, agent) || heard.recipients.has(agent.key)) return true;
  return asksBack(heard) && heard.named.has(agent.key);
}

function asksBack({ asks }: Heard): boolean {
  return asks?.mode === 'auto';
}

/**
 * The agent was asked to be quiet in this direct message. Until its name or a request calls it, it is. A mode from the
 * settings does not count: it says nothing about direct messages.
 */
function isQuiet(heard: Heard, agent: RosterAgent): boolean {
  return heard.asks === undefined && agentState(heard.state, agent.key).mode === 'mention_only';
}

/** In a person's direct message the recipient says whose message it is, and assigns nothing. */
function namesParty({ direct, author }: Heard): boolean {
  return direct !== undefined && author.kind === 'human';
}

/** A tag, or a name that stands for one: "lead: is it green?". Only a tag brings back an agent that has left. */
function mention(heard: Heard, agent: RosterAgent): Match | undefined {
  if (isTagged(heard, agent)) return byDoor(heard, agent) ?? NO_FACTS;
  const hailed = heard.hailed && heard.named.has(agent.key) && agent.triggers.mention;
  return when(hailed && !isNotice(heard), HAILED);
}

/** Several agents share the account that is called. */
function byDoor({ door }: Heard, agent: RosterAgent): Match | undefined {
  return door?.keys.has(agent.key) === true ? AT_DOOR[door.way] : undefined;
}

const AT_DOOR: Record<DoorWay, Match> = {
  named: { facts: { door: 'named' } },
  only: { facts: { door: 'only' } },
  reply: { facts: { door: 'reply' } },
  exchange: { facts: { door: 'exchange' } },
  thread: { facts: { door: 'thread' } },
  default: { facts: { door: 'default' } },
  first: { facts: { door: 'first' } },
  offered: { facts: { door: 'offered' } },
};

function isNotice(heard: Heard): boolean {
  const { kind } = heard.record.event.conversation;
  return heard.structural || kind === 'system' || kind === 'tool';
}

function isThread(heard: Heard): boolean {
  return heard.record.event.conversation.kind === 'thread';
}

function hasSpoken(heard: Heard, agent: RosterAgent): boolean {
  return agentState(heard.state, agent.key).spokeN > 0;
}

function owns(heard: Heard, agent: RosterAgent): boolean {
  return isThread(heard) && agent.ownsConversation;
}

/** Its sender declares it to be for whoever takes part in the thread, not for one of them. */
function isForTheThread(heard: Heard): boolean {
  return heard.declared === 'to_my_role' && isThread(heard);
}

function participates(heard: Heard, agent: RosterAgent): boolean {
  return owns(heard, agent) || hasSpoken(heard, agent) || heard.state.root?.author === agent.key;
}

function hasTask(heard: Heard): boolean {
  const { intent } = heard;
  return intent === 'question' || intent === 'request' || intent === 'urgent' || intent === 'blocker';
}

/**
 * On an open floor every message may be claimed. There an agent's reply says what it has claimed, not whom it calls.
 */
function isToTheFloor(heard: Heard): boolean {
  return heard.roster.openFloor && heard.author.kind === 'agent';
}

/** A direct message between the author and this agent, or a thread in one. Or nothing tells whose it is. */
function directMessage({ direct }: Heard, agent: RosterAgent): Match | undefined {
  if (direct === undefined || !agent.triggers.dm) return undefined;
  if (direct.choose?.has(agent.key) === true) return CHOOSE;
  if (direct.party !== agent.key) return undefined;
  return direct.thread ? IN_THREAD : NO_FACTS;
}

function reply(heard: Heard, agent: RosterAgent): Match | undefined {
  if (!agent.triggers.reply || isToTheFloor(heard) || isForTheThread(heard)) return undefined;
  if (heard.repliesTo === agent.key) return when(true);
  // Platforms name the thread's root as the message replied to. It means the agent only while nobody else has spoken.
  const { root } = heard.state;
  if (root === null || root.author !== agent.key || root.othersSpoke || hasTarget(heard, agent))
    return undefined;
  const alone = heard.state.speakers.every(({ key }) => key === agent.key || key === heard.author.key);
  return when(alone, { threadRoot: true });
}

/** The message has a target besides this agent's own name. */
function hasTarget(heard: Heard, agent: RosterAgent): boolean {
  return (
    heard.tagsSomebody ||
    heard.toAll ||
    heard.repliesTo !== undefined ||
    heard.calls !== undefined ||
    heard.peer !== undefined ||
    (heard.named.size > 0 && !heard.named.has(agent.key)) ||
    heard.roles.size > 0 ||
    heard.recipients.size > 0
  );
}

function fragment(heard: Heard, agent: RosterAgent): Match | undefined {
  if (heard.window === undefined || hasTarget(heard, agent) || isForTheThread(heard)) return undefined;
  const entry = heard.window.addressed.find((addressed) => addressed.agent === agent.key);
  if (entry === undefined) return undefined;
  return { facts: {}, inherits: entry.rung };
}

/** The author goes on, without a pause, with what was said to somebody who is none of the agents here. */
export function goesOnElsewhere(heard: Heard): boolean {
  const { window, roster, tagsSomebody, toAll, repliesTo, calls, peer, named, roles, recipients } = heard;
  if (window === undefined || window.addressed.some(({ agent }) => agent !== '')) return false;
  if (!roster.preset.rungs.has('fragment') || tagsSomebody || toAll || repliesTo !== undefined) return false;
  if (calls !== undefined || peer !== undefined) return false;
  return named.size + roles.size + recipients.size === 0;
}

function exchange(heard: Heard, agent: RosterAgent): Match | undefined {
  if (agent.stickiness === 'off' || isForTheThread(heard) || goesOnElsewhere(heard)) return undefined;
  if (agent.stickiness === 'one_shot') {
    if (!hasCredit(heard.state, heard.author.key, agent.key, heard.record.at)) return undefined;
    // Among several humans, a message that is aimed at somebody else does not spend the credit.
    const elsewhere = heard.humans.count > 1 && !heard.named.has(agent.key) && aimedElsewhere(heard, agent);
    return elsewhere ? undefined : { facts: {}, reason: 'sticky' };
  }
  if (hasTarget(heard, agent)) return undefined;
  const live = heard.exchange?.partner === agent.key ? heard.exchange : undefined;
  if (live !== undefined && putsRight(heard, agent)) return { facts: exchangeFacts(live) };
  const judgement = judged(heard, agent);
  if (judgement === undefined) return live && { facts: exchangeFacts(live) };
  if (judgement.band === 'not') return undefined;
  return {
    facts: { ...(live && exchangeFacts(live)), ...judgement.told() },
    band: judgement.band,
  };
}

/** What is less likely than this, in thousandths, is not worth telling. */
const WORTH_TELLING = 100;

/** For nobody in particular. If that was a close thing, the trace says why. */
function weighed(heard: Heard, agent: RosterAgent): Match {
  if (agent.stickiness !== 'exchange' || goesOnElsewhere(heard) || hasTarget(heard, agent)) return NO_FACTS;
  const judgement = judged(heard, agent);
  if (judgement === undefined) return NO_FACTS;
  const talking = heard.exchange?.partner === agent.key;
  return talking || judgement.probability >= WORTH_TELLING ? { facts: judgement.told() } : NO_FACTS;
}

const exchangeFacts = ({ turn, ago }: LiveExchange): Facts => ({ turn, messagesAgo: ago });

function roleMention(heard: Heard, agent: RosterAgent): Match | undefined {
  if (heard.door?.way === 'offered' && heard.door.keys.has(agent.key)) return AT_DOOR.offered;
  for (const role of heard.roles) if (agent.roles.has(role)) return { facts: { role } };
  return undefined;
}

/** The message tags roles, and the agent has none of them. False where the preset ignores roles. */
function tagsForeignRole(heard: Heard, agent: RosterAgent): boolean {
  if (heard.roles.size === 0 || !heard.roster.preset.rungs.has('role_mention')) return false;
  for (const role of heard.roles) if (agent.roles.has(role)) return false;
  return true;
}

/** What aims a message at somebody else. These objects are shared, because most agents overhear most messages. */
const BY = {
  mention: { facts: { by: 'mention' } },
  recipient: { facts: { by: 'recipient' } },
  role: { facts: { by: 'role' } },
  reply: { facts: { by: 'reply' } },
  name: { facts: { by: 'name' } },
  peerName: { facts: { by: 'peer_name' } },
  fragment: { facts: { by: 'fragment' } },
} as const satisfies Record<string, Match>;

/** Looks at structure only: tags, replies, recipients and names. It never guesses from the meaning of a sentence. */
export function aimedElsewhere(heard: Heard, agent: RosterAgent): Match | undefined {
  if (heard.tagsSomebody && !heard.mentioned.has(agent.key)) return BY.mention;
  if (heard.recipients.size > 0) return BY.recipient;
  if (tagsForeignRole(heard, agent)) return BY.role;
  const repliesTo = isToTheFloor(heard) ? undefined : heard.repliesTo;
  if (repliesTo !== undefined && repliesTo !== agent.key && !participates(heard, agent)) return BY.reply;
  if (heard.calls !== undefined) return BY.name;
  if (heard.peer !== undefined) return BY.peerName;
  if (goesOnElsewhere(heard)) return BY.fragment;
  for (const key of heard.named) if (key !== agent.key && key !== heard.author.key) return BY.peerName;
  return undefined;
}

/** A human who is alone gets an answer without a mention, from at most one agent. */
function soloHuman(heard: Heard, agent: RosterAgent): Match | undefined {
  if (heard.author.kind !== 'human' || heard.humans.count > 1) return undefined;
  const { state, roster, humans, record } = heard;
  if (roster.preset.solo === 'per_agent') return when(true, { humans: humans.count });
  if (heard.exchange !== undefined && heard.exchange.partner !== agent.key) return undefined;
  if (isThread(heard) && !hasSpoken(heard, agent) && !humans.fresh) return undefined;
  if (!humans.known && record.at - (state.since || record.at) < roster.limits.historyMs) return undefined;
  return when(soloResponder(heard) === agent.id, { humans: humans.count });
}

/** The author's last partner, else the configured default, else the only bound agent, else nobody. */
function soloResponder(heard: Heard): string | undefined {
  const { state, roster, author } = heard;
  const partner = state.speakers.find((speaker) => speaker.key === author.key)?.partner;
  const last = partner === undefined ? undefined : roster.byKey.get(partner);
  if (last?.bound === true) return last.id;
  if (roster.defaultResponder !== undefined) return roster.defaultResponder;
  return roster.agents.length === 1 ? roster.agents[0]?.id : undefined;
}

function threadQuestion(heard: Heard, agent: RosterAgent): Match | undefined {
  if (!isThread(heard) || !hasTask(heard) || isForTheThread(heard)) return undefined;
  if (agent.ownsConversation) return when(true, { owned: true });
  if (!hasSpoken(heard, agent) || isForPartner(heard, agent)) return undefined;
  if (heard.state.last === agent.key) return when(true, { spokeLast: true });
  const only = heard.state.speakers.every(({ key, kind }) => kind !== 'agent' || key === agent.key);
  return when(only, { onlyAgent: true });
}

/** The author talks with another agent of ours, which hears this as a line of their exchange. One answer is enough. */
function isForPartner(heard: Heard, agent: RosterAgent): boolean {
  const partner = heard.exchange === undefined ? undefined : heard.roster.byKey.get(heard.exchange.partner);
  if (partner === undefined || partner === agent || !partner.bound) return false;
  const mode = modeOf(heard, partner);
  return partner.stickiness === 'exchange' && mode !== 'left' && mode !== 'mention_only';
}

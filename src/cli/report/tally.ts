// Counts a replay for the report: for each agent and room the turns spent and what simpler agents would have spent, who
// woke it and by which rule, and examples of both sides. Everything is counted as it comes; only examples are kept.
import type { Decision } from '../../attention/decision.ts';
import { startsTurn } from '../../attention/decision.ts';
import type { Fed } from '../../attention/replay.ts';
import type { ChatEvent } from '../../protocol/chat-event.ts';
import { instantMs } from '../../protocol/log-record.ts';
import type { Reason } from '../../protocol/vocabulary.ts';
import { type Totals, addTo, emptyTotals, spendsTurn } from '../totals.ts';
import { type Spread, spreadOf } from './spread.ts';

/** Examples of each side that the report shows. */
export const EXAMPLES = 10;
/** Agents with a section and examples of their own. The others are lines of a table. */
export const AGENTS_SHOWN = 12;

export interface Example {
  event: ChatEvent & { type: 'message' };
  decision: Decision;
}

export interface AgentTally {
  id: string;
  totals: Totals;
  rooms: Map<string, Totals>;
  /** Turns by the rule that decided. */
  woken: Map<Decision['trace']['rung'], number>;
  /** Messages that woke nobody, by reason. */
  quiet: Map<Reason, number>;
  /** Turns by whose message they are about. */
  wokenBy: Map<string, number>;
  /** Mentions and direct messages that needed no turn, such as thanks. */
  mentionsSpared: number;
  /** Turns without a mention, such as follow-ups: an agent that waits for mentions misses them. */
  unmentioned: number;
  /** Messages that it wrote itself. */
  posts: number;
  examples: Record<'woken' | 'quiet', Map<Reason, Spread<Example>>>;
}

export interface DayTally {
  messages: number;
  turns: number;
  mentionTurns: number;
  everythingTurns: number;
}

export interface Tally {
  agents: AgentTally[];
  /** By day, `2026-10-31` (UTC). */
  days: Map<string, DayTally>;
  /** Of rooms, by id. */
  titles: Map<string, string>;
  /** Of people and apps, by id. */
  names: Map<string, string>;
  messages: number;
  /** Epoch ms of the first and the last message. */
  from: number;
  to: number;
}

export interface TallyReport {
  tally: Tally;
  tell(event: ChatEvent, fed: Extract<Fed, { type: 'folded' }>): void;
}

export function createTally(
  agentIds: readonly string[],
  authorOf: (event: ChatEvent) => string | undefined,
): TallyReport {
  const agents = new Map(agentIds.map((id) => [id, emptyAgent(id)]));
  const direct = new Set<string>();
  const tally: Tally = {
    agents: [...agents.values()],
    days: new Map(),
    titles: new Map(),
    names: new Map(),
    messages: 0,
    from: Number.POSITIVE_INFINITY,
    to: 0,
  };
  return {
    tally,
    tell(event, { decisions }) {
      const { id, parentId, title } = event.conversation;
      if (title !== undefined && parentId === undefined) tally.titles.set(id, title);
      if (event.author.displayName !== undefined) tally.names.set(event.author.id, event.author.displayName);
      if (event.conversation.kind === 'dm') direct.add(id);
      const isDirect = direct.has(parentId ?? id);
      const day = dayOf(tally, event);
      if (event.type === 'message') {
        tally.messages++;
        day.messages++;
        const own = agents.get(authorOf(event) ?? '');
        if (own !== undefined) own.posts++;
      }
      for (const decision of decisions) {
        const agent = agents.get(decision.agent);
        if (agent !== undefined && (!isDirect || isParty(decision)))
          note(agent, event, decision, parentId ?? id, day);
      }
    },
  };
}

/** A direct message to somebody else reaches no other agent, so nothing is spared there. */
function isParty({ trace }: Decision): boolean {
  return trace.rung !== 'addressed_elsewhere';
}

function emptyAgent(id: string): AgentTally {
  return {
    id,
    totals: emptyTotals(),
    rooms: new Map(),
    woken: new Map(),
    quiet: new Map(),
    wokenBy: new Map(),
    mentionsSpared: 0,
    unmentioned: 0,
    posts: 0,
    examples: { woken: new Map(), quiet: new Map() },
  };
}

function dayOf(tally: Tally, event: ChatEvent): DayTally {
  const at = instantMs(event.at);
  if (event.type === 'message') {
    tally.from = Math.min(tally.from, at);
    tally.to = Math.max(tally.to, at);
  }
  const key = new Date(at).toISOString().slice(0, 10);
  const day = tally.days.get(key) ?? { messages: 0, turns: 0, mentionTurns: 0, everythingTurns: 0 };
  tally.days.set(key, day);
  return day;
}

/** A thread counts as part of its room. */
function note(agent: AgentTally, event: ChatEvent, decision: Decision, room: string, day: DayTally): void {
  const inRoom = agent.rooms.get(room) ?? emptyTotals();
  agent.rooms.set(room, inRoom);
  const before = { ...agent.totals };
  addTo(agent.totals, event, [decision]);
  addTo(inRoom, event, [decision]);
  day.turns += agent.totals.turns - before.turns;
  day.mentionTurns += agent.totals.mentionTurns - before.mentionTurns;
  day.everythingTurns += agent.totals.everythingTurns - before.everythingTurns;
  const { trace, reason } = decision;
  const isMention = trace.rung === 'mention' || trace.rung === 'direct_message';
  if (isMention && !startsTurn(decision)) agent.mentionsSpared++;
  if (spendsTurn(decision)) {
    if (!isMention) agent.unmentioned++;
    count(agent.woken, trace.rung);
    count(agent.wokenBy, event.author.id);
    example(agent, 'woken', event, decision);
  } else if (event.type === 'message' && !startsTurn(decision)) {
    count(agent.quiet, reason);
    example(agent, 'quiet', event, decision);
  }
}

function example(agent: AgentTally, side: 'woken' | 'quiet', event: ChatEvent, decision: Decision): void {
  if (event.type !== 'message' || event.text === undefined || event.text.trim() === '') return;
  const byReason = agent.examples[side];
  const spread = byReason.get(decision.reason) ?? spreadOf<Example>(EXAMPLES);
  byReason.set(decision.reason, spread);
  spread.offer({ event, decision });
}

function count<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** Ten of one side: each reason in turn, the rarest first, so that not all ten are alike. In the order of time. */
export function examplesOf(agent: AgentTally, side: 'woken' | 'quiet'): Example[] {
  const lists = [...agent.examples[side].values()]
    .map((spread) => spread.kept())
    .toSorted((a, b) => a.length - b.length);
  const chosen: Example[] = [];
  for (let round = 0; chosen.length < EXAMPLES && lists.some((list) => round < list.length); round++) {
    for (const list of lists) {
      // From the middle outwards, so that a list that gives only one gives a typical one.
      const found = list[(Math.floor(list.length / 2) + round) % list.length];
      if (round < list.length && found !== undefined && chosen.length < EXAMPLES) chosen.push(found);
    }
  }
  return chosen.toSorted((a, b) => instantMs(a.event.at) - instantMs(b.event.at));
}

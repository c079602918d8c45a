// Who is in a conversation, for an agent that takes part in it: the agents that are bound there, and whoever has spoken.
// Nobody else is named. The order is that of the configuration, then that of the first words, so the list stays the same
// until somebody joins. A provider can then cache the text in front of every turn.
import { FIT_LIMITS, fittingItems } from '../../protocol/fit.ts';
import { displayName } from '../../protocol/identity.ts';
import { PARTICIPANT_LIMITS, type WireParticipants } from '../../protocol/participants.ts';
import type { LogRow } from '../../store/tables.ts';
import type { HostContext } from '../kernel/context.ts';
import { decisionForAgent } from '../kernel/log-row.ts';
import { isBackfill, mayReadBackfill, mayReadRoom } from './may-read.ts';
import { type ConversationState, parentKeyOf, readConversation } from '../kernel/conversation.ts';

const LIMITS = {
  /** Log rows that are read when a conversation is asked about for the first time. Later only the new ones are. */
  rows: 500,
  /** Speakers remembered in one conversation. */
  speakers: 500,
  /** Pairs of agent and conversation remembered. The one that was asked about longest ago goes first. */
  conversations: 1_000,
} as const;

type Participant = WireParticipants['participants'][number];

export type ParticipantsOf = (agent: string, conversation: string) => Promise<WireParticipants>;

/** Whoever has spoken in a conversation, as one agent may know it. */
interface Speakers {
  agent: string;
  conversation: string;
  /** Everything up to here was read. */
  seq: number;
  /** By identity, in the order of their first words. */
  byIdentity: Map<string, Participant>;
}

export function createParticipants(context: HostContext): ParticipantsOf {
  const kept = createKept();
  // What is logged here is noted at once, so the next question need not read it back from the store.
  context.bus.listen((news) => {
    if (news.type !== 'logged') return;
    const { row } = news;
    for (const speakers of kept.of(row.conversation))
      if (row.seq === speakers.seq + 1) take(context, speakers, row);
  });
  return async (agent, conversation) => {
    if (!(await mayReadRoom(context, agent, conversation))) return { participants: [], moreParticipants: 0 };
    const state = await readConversation(context.store, conversation);
    const speakers = kept.get(agent, conversation);
    if (state === undefined || state.attention.seq > speakers.seq)
      for (const row of await unread(context, speakers)) take(context, speakers, row);
    return listed(await agentsIn(context, state, speakers), speakers);
  };
}

function createKept() {
  const byPair = new Map<string, Speakers>();
  const byConversation = new Map<string, Set<Speakers>>();
  const forget = (key: string, speakers: Speakers): void => {
    byPair.delete(key);
    const here = byConversation.get(speakers.conversation);
    here?.delete(speakers);
    if (here?.size === 0) byConversation.delete(speakers.conversation);
  };
  return {
    get(agent: string, conversation: string): Speakers {
      const key = `${agent} ${conversation}`;
      const speakers = byPair.get(key) ?? { agent, conversation, seq: 0, byIdentity: new Map() };
      byPair.delete(key);
      byPair.set(key, speakers);
      byConversation.set(conversation, (byConversation.get(conversation) ?? new Set()).add(speakers));
      const [oldest] = byPair;
      if (byPair.size > LIMITS.conversations && oldest !== undefined) forget(...oldest);
      return speakers;
    },
    of: (conversation: string): Iterable<Speakers> => byConversation.get(conversation) ?? [],
  };
}

async function unread({ store }: HostContext, { conversation, seq }: Speakers): Promise<LogRow[]> {
  const range = { eq: [conversation], limit: LIMITS.rows, descending: true };
  const rows = await store.scan('log', 'byConversation', seq === 0 ? range : { ...range, after: seq });
  return rows.toReversed();
}

/** A row that was noted meanwhile, when it was logged, is not noted again: later ones may be noted already. */
function take(context: HostContext, speakers: Speakers, row: LogRow): void {
  if (row.seq <= speakers.seq) return;
  speakers.seq = row.seq;
  if (mayKnow(context, row, speakers.agent)) note(speakers, row);
}

/** Who is denied is never context. */
function mayKnow(context: HostContext, row: LogRow, agent: string): boolean {
  if (isBackfill(row)) return mayReadBackfill(context, row, agent);
  return decisionForAgent(row, agent)?.decision !== 'denied';
}

function note({ byIdentity }: Speakers, { type, author: identity, record: { event } }: LogRow): void {
  const { kind, id } = event.author;
  if (type !== 'message' || (kind !== 'human' && kind !== 'agent')) return;
  const known = byIdentity.get(identity);
  if (known === undefined && byIdentity.size >= LIMITS.speakers) return;
  const name = displayName(event.author.displayName ?? '') || known?.displayName;
  byIdentity.set(identity, { id, kind, ...(name === undefined ? {} : { displayName: name }) });
}

/** The asking agent first. In a direct message an agent takes part only if it has spoken. */
async function agentsIn(
  context: HostContext,
  state: ConversationState | undefined,
  { agent: self, conversation, byIdentity }: Speakers,
): Promise<Participant[]> {
  const bound = state === undefined ? [] : context.rosterAt(state.place, conversation).agents;
  const isDirect = state !== undefined && (await isInDirectMessage(context, state));
  const here = new Set(bound.map(({ id }) => id).filter((id) => !isDirect || byIdentity.has(`agent:${id}`)));
  const ours = context.attention.agents.filter(({ id }) => id === self || here.has(id));
  const foreign = [...byIdentity.values()].filter(
    ({ kind, id }) => kind === 'agent' && !context.attention.agents.some((agent) => agent.id === id),
  );
  return [
    ...ours.toSorted((a, b) => Number(b.id === self) - Number(a.id === self)).map(participantOf),
    ...foreign,
  ];
}

/** A direct message, or a thread in one. */
async function isInDirectMessage({ store }: HostContext, { place }: ConversationState): Promise<boolean> {
  if (place.conversation.kind === 'dm') return true;
  const parent = parentKeyOf(place);
  const above = parent === undefined ? undefined : await readConversation(store, parent);
  return above?.place.conversation.kind === 'dm';
}

function participantOf({ id, name }: { id: string; name?: string | undefined }): Participant {
  const shown = displayName(name ?? '');
  return { id, kind: 'agent', ...(shown === '' ? {} : { displayName: shown }) };
}

function listed(agents: readonly Participant[], { byIdentity }: Speakers): WireParticipants {
  const people = [...byIdentity.values()].filter(({ kind }) => kind === 'human');
  const named = [
    ...agents.slice(0, PARTICIPANT_LIMITS.agents),
    ...people.slice(0, PARTICIPANT_LIMITS.people),
  ];
  const participants = [...fittingItems(named, FIT_LIMITS.participantsBytes)];
  return { participants, moreParticipants: agents.length + people.length - participants.length };
}

// Who reads a conversation, as far as the host knows: agents by their bindings, people by what they said and by the
// membership that the surface reports. From that: whether everybody who would read a text in one place could read it
// where it was said. What is not known counts as no.
import { shortKey } from '../../attention/index.ts';
import type { Surface } from '../../surfaces/surface.ts';
import type { HostContext } from '../kernel/context.ts';
import {
  type ConversationState,
  agentDmParties,
  parentKeyOf,
  readConversation,
} from '../kernel/conversation.ts';
import { agentMayRead, isPrivate, readableRoomOf } from './may-read.ts';

export interface ReaderDeps {
  context: Pick<HostContext, 'store' | 'rosterAt'>;
  surface(id: string): Surface | undefined;
}

/** Whether everybody who reads `to` may read `from`. `agent` is the one who writes, and has read it. */
export async function mayAllRead(
  deps: ReaderDeps,
  agent: string,
  from: string,
  to: { key: string; state: ConversationState },
): Promise<boolean> {
  const source = await roomAt(deps, from);
  const target = await withParent(deps, to.key, to.state);
  if (source === undefined) return false;
  if (rootOf(source) === rootOf(target)) return true;
  return (await mayAgentsRead(deps, agent, source, target)) && mayPeopleRead(deps, source, target);
}

/** Whether only its parties read the conversation: a direct message, or a thread in one. */
export async function isPrivateAt(deps: ReaderDeps, key: string): Promise<boolean> {
  const room = await roomAt(deps, key);
  return room === undefined || isPrivateRoom(room);
}

interface Room {
  key: string;
  state: ConversationState;
  parent: ConversationState | undefined;
}

async function roomAt(deps: ReaderDeps, key: string): Promise<Room | undefined> {
  const state = await readConversation(deps.context.store, key);
  return state === undefined ? undefined : withParent(deps, key, state);
}

async function withParent({ context }: ReaderDeps, key: string, state: ConversationState): Promise<Room> {
  const above = parentKeyOf(state.place);
  return {
    key,
    state,
    parent: above === undefined ? undefined : await readConversation(context.store, above),
  };
}

function rootOf({ key, state }: Room): string {
  return parentKeyOf(state.place) ?? key;
}

function isPrivateRoom({ state, parent }: Room): boolean {
  const { kind } = state.place.conversation;
  return isPrivate({ kind, ...(parent && { parent: { key: '', kind: parent.place.conversation.kind } }) });
}

/** The agents that read a conversation: its parties, or all that are bound and may read it. */
async function mayAgentsRead(deps: ReaderDeps, writer: string, source: Room, target: Room): Promise<boolean> {
  const { context } = deps;
  const parties = agentDmParties(target.state.place);
  const bound = parties ?? context.rosterAt(target.state.place).agents.map(({ id }) => id);
  for (const agent of bound) {
    if (agent === writer || agent.startsWith('@')) continue;
    const there = await readableRoomOf(context, agent, target.key);
    const reads = parties !== undefined || (there !== undefined && agentMayRead(agent, there).ok);
    if (!reads) continue;
    const room = await readableRoomOf(context, agent, source.key);
    if (room === undefined || !agentMayRead(agent, room).ok) return false;
  }
  return true;
}

function mayPeopleRead(deps: ReaderDeps, source: Room, target: Room): boolean {
  const people = peopleOf(target);
  if (people?.size === 0) return true;
  // Everybody on the surface may read its channels.
  const open = deps.surface(source.state.surface)?.capabilities.openChannels === true;
  if (open && !isPrivateRoom(source) && source.state.surface === target.state.surface) return true;
  const spoke = new Set([...speakersIn(source.state), ...(source.parent ? speakersIn(source.parent) : [])]);
  const named = partiesOf(source);
  return people !== undefined && [...people].every((person) => spoke.has(person) || named.has(person));
}

/** The people who read a conversation; undefined when there may be others. */
function peopleOf(room: Room): Set<string> | undefined {
  if (agentDmParties(room.state.place) !== undefined) return partiesOf(room);
  const people = new Set([...speakersIn(room.state), ...(room.parent ? speakersIn(room.parent) : [])]);
  const membership = room.state.attention.membership ?? room.parent?.attention.membership ?? null;
  // A direct message has two parties, unless the surface says otherwise.
  if (membership === null) return isPrivateRoom(room) && people.size === 1 ? people : undefined;
  return membership.complete && membership.humans <= people.size ? people : undefined;
}

/** The people of a direct message of the host's own, by its id. */
function partiesOf({ state }: Room): Set<string> {
  const parties = agentDmParties(state.place) ?? [];
  return new Set(parties.flatMap((party) => (party.startsWith('@') ? [shortKey(party.slice(1))] : [])));
}

function speakersIn({ attention }: ConversationState): string[] {
  return attention.speakers.flatMap(({ key, kind }) => (kind === 'human' ? [key] : []));
}

// Sends for one reader. `visibility: dm` goes to the one whom it answers or names: to the known direct message of the two
// on that surface, or to a new one where the surface can open one. `ephemeral` goes only where the surface can show a
// message to one reader. What cannot be said to one alone is refused with what to do instead; it never falls back to the
// channel.
import type { Author } from '../../protocol/chat-event.ts';
import { type WireError, wireError } from '../../protocol/errors.ts';
import { type Identity, identity, parseIdentity } from '../../protocol/identity.ts';
import type { Surface } from '../../surfaces/surface.ts';
import { type Place, shortKey } from '../../attention/index.ts';
import { isAboutDirectMessage } from '../delivery/delivery-row.ts';
import type { HostContext } from '../kernel/context.ts';
import {
  type ConversationState,
  INTERNAL_SURFACE,
  type Places,
  agentDmPlace,
  conversationKeyOf,
  parentKeyOf,
  readConversation,
} from '../kernel/conversation.ts';
import type { SendInput } from './send-rules.ts';

export interface DestinationDeps {
  context: HostContext;
  places: Places;
  surface(id: string): Surface | undefined;
}

/** Where a send goes: a conversation that is known, or one that its first message opens. */
export interface Destination {
  key: string;
  /** For a conversation that is not known yet. */
  opens?: { place: Place; surface: string /** The message that a thread begins on. */; root?: string };
  /** The agent or person of a direct message that was named or found. */
  to?: Identity;
}

export type FoundDestination = { ok: true; destination: Destination } | { ok: false; error: WireError };

export async function privateDestination(
  deps: DestinationDeps,
  agent: string,
  input: SendInput,
  near: (Place & { author: Author }) | undefined,
  plain: FoundDestination,
): Promise<FoundDestination> {
  const named = parseIdentity(input.target);
  if (named?.kind === 'human') return directWith(deps, agent, identity('human', named.id), near);
  if (!plain.ok || plain.destination.to !== undefined) return plain;
  const state = await readConversation(deps.context.store, plain.destination.key);
  if (input.visibility === 'ephemeral' && !showsEphemeral(deps, state))
    return refused(
      cannot('the platform has no message that only one reader sees', 'Use visibility dm or channel'),
    );
  if (input.visibility === 'ephemeral' && readerOf(input, near?.author) === undefined)
    return refused(cannot('it names nobody', 'Name the event of a person in inReplyTo, or a recipient'));
  if (input.visibility !== 'dm' || state === undefined || (await isDirect(deps, state))) return plain;
  const whom = near === undefined ? input.recipient : identity(near.author.kind, near.author.id);
  if (whom === undefined)
    return refused(cannot('it names nobody', 'Name the event in inReplyTo, or the person in target'));
  return directWith(deps, agent, whom, near ?? state.place);
}

/** Who alone sees an ephemeral message, by the platform's id: the person whom it answers or names. */
export function readerOf({ recipient }: SendInput, answered: Author | undefined): string | undefined {
  if (answered?.kind === 'human') return answered.id;
  const named = recipient === undefined ? undefined : parseIdentity(recipient);
  return named?.kind === 'human' ? named.id : undefined;
}

function found(destination: Destination): FoundDestination {
  return { ok: true, destination };
}

function refused(error: WireError): FoundDestination {
  return { ok: false, error };
}

function cannot(problem: string, instead: string): WireError {
  return wireError('no_private_way', { problem, instead });
}

function showsEphemeral(deps: DestinationDeps, state: ConversationState | undefined): boolean {
  return (
    state !== undefined &&
    deps.surface(deps.context.speakers.homeOf(state))?.capabilities.does.ephemeral === true
  );
}

/** A thread in a direct message is as direct as the message. */
async function isDirect({ context }: DestinationDeps, { place }: ConversationState): Promise<boolean> {
  if (place.conversation.kind === 'dm') return true;
  const parent = parentKeyOf(place);
  const above = parent === undefined ? undefined : await readConversation(context.store, parent);
  return above?.place.conversation.kind === 'dm';
}

/** The direct message of the agent with somebody. `near` says on which surface. */
async function directWith(
  deps: DestinationDeps,
  agent: string,
  whom: Identity,
  near: Place | undefined,
): Promise<FoundDestination> {
  const who = parseIdentity(whom);
  if (who?.kind === 'agent' && deps.places.isAgent(who.id) && who.id !== agent) {
    const place = agentDmPlace(agent, who.id);
    const opens = { place, surface: INTERNAL_SURFACE };
    return found({ key: conversationKeyOf(place), opens, to: identity('agent', who.id) });
  }
  if (who?.kind !== 'human') return refused(wireError('not_found', { what: 'person or agent' }));
  const known = await knownDirect(deps.context, agent, who.id, near);
  if (known !== undefined) return found({ key: known, to: whom });
  const opened = near === undefined ? undefined : await openDirect(deps, agent, who.id, near);
  if (opened !== undefined) return found({ ...opened, to: whom });
  return refused(
    cannot(
      `you have no direct message with ${whom}`,
      'Answer in the channel, or ask them to write to you directly first',
    ),
  );
}

async function openDirect(
  deps: DestinationDeps,
  agent: string,
  person: string,
  near: Place,
): Promise<Destination | undefined> {
  const state = await readConversation(deps.context.store, conversationKeyOf(near));
  const surface = state === undefined ? undefined : deps.surface(deps.context.speakers.homeOf(state));
  const opened = await surface?.direct?.(person, agent);
  if (surface === undefined || opened?.type !== 'place') return undefined;
  const { place } = opened;
  return { key: conversationKeyOf(place), opens: { place, surface: surface.id } };
}

/** How many of the agent's newest deliveries are searched for a direct message of the person. */
const LOOKED_BACK = 1_000;
const PAGE = 100;

/** The direct message in which the person last wrote to the agent, and nobody else did. */
async function knownDirect(
  { store }: HostContext,
  agent: string,
  person: string,
  near: Place | undefined,
): Promise<string | undefined> {
  let before: number | undefined;
  const looked = new Set<string>();
  for (let read = 0; read < LOOKED_BACK; read += PAGE) {
    const page = await store.scan('delivery', 'byAgent', {
      eq: [agent],
      limit: PAGE,
      descending: true,
      ...(before === undefined ? {} : { before }),
    });
    for (const row of page) {
      if (!isAboutDirectMessage(row) || looked.has(row.conversation)) continue;
      looked.add(row.conversation);
      if (isOf(await readConversation(store, row.conversation), person, near)) return row.conversation;
    }
    if (page.length < PAGE) return undefined;
    before = page.at(-1)?.position;
  }
  return undefined;
}

/** Whether the person, and no other person, has spoken there. */
function isOf(state: ConversationState | undefined, person: string, near: Place | undefined): boolean {
  if (state === undefined) return false;
  const { place, attention } = state;
  if (near !== undefined && (place.platform !== near.platform || place.workspaceId !== near.workspaceId))
    return false;
  const people = attention.speakers.filter(({ kind }) => kind === 'human');
  return people.length > 0 && people.every(({ key }) => key === shortKey(person));
}

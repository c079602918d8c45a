// What the host asks Slack for: what was said before, who is there, and a conversation with a person.
import { withoutMarks } from '../../protocol/source-event.ts';
import type { DirectOutcome, HistoryRequest, Members, SurfacePlace } from '../surface.ts';
import type { SlackApi } from './api.ts';
import { readPast } from './past.ts';
import type { People } from './people.ts';
import { isSaid, PLATFORM, readMessage } from './read-event.ts';
import { type Login, knownOf } from './take.ts';
import { channelOf } from './write.ts';

/** Who asks. */
export interface LoggedInApi {
  api: SlackApi;
  login: Login;
}

/** Of these each is looked up. In a larger room nobody counts heads. */
const MEMBERS = 20;

export async function historyOf(
  { api, login }: LoggedInApi,
  people: People,
  { place, before, limit }: HistoryRequest,
) {
  const channel = channelOf(place);
  const thread = place.parentId === undefined ? undefined : place.conversationId;
  const past = await readPast(api, { channel, thread, until: before - 1, limit });
  if (!past.ok) throw new Error(`Slack did not tell the history: ${past.failure.error}`);
  const said = past.value.messages
    .filter((message) => isSaid(message) && message.ts !== thread)
    .slice(-limit);
  await people.learn(
    api,
    said.flatMap(({ user }) => user ?? []),
  );
  const known = knownOf(login, people, before);
  return said.map((message) => withoutMarks(readMessage(message, channel, known)));
}

export async function membersOf(
  { api, login }: LoggedInApi,
  people: People,
  place: SurfacePlace,
): Promise<Members | undefined> {
  const called = await api.call<{ members?: string[]; response_metadata?: { next_cursor?: string } }>(
    'conversations.members',
    { channel: channelOf(place), limit: 200 },
  );
  if (!called.ok || called.value.members === undefined) return undefined;
  const { members, response_metadata } = called.value;
  const others = members.filter((member) => member !== login.user);
  const isWhole = !response_metadata?.next_cursor;
  if (!isWhole || others.length > MEMBERS) return { humans: others.length, agents: 1, complete: false };
  await people.learn(api, others);
  const bots = others.filter((member) => people.nameOf(member)?.isBot === true).length;
  const isComplete = others.every((member) => people.nameOf(member) !== undefined);
  return { humans: others.length - bots, agents: bots + 1, complete: isComplete };
}

export async function openDirect({ api, login }: LoggedInApi, person: string): Promise<DirectOutcome> {
  const called = await api.call<{ channel?: { id?: string } }>('conversations.open', { users: person });
  if (!called.ok) {
    const { type, error } = called.failure;
    return { type: type === 'refused' ? 'refused' : 'retry', error };
  }
  const id = called.value.channel?.id;
  if (id === undefined) return { type: 'retry', error: 'Slack opened no conversation' };
  const conversation = { id, kind: 'dm' } as const;
  return { type: 'place', place: { platform: PLATFORM, workspaceId: login.team, conversation } };
}

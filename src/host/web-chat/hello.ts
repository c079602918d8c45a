// The answer to `hello`: the people, agents and conversations that a tab shows, and whether it can resume where it was.
// A tab that cannot resume loads its pages again.
import { defaultGlyph } from '../../protocol/glyphs.ts';
import { SIGNALS } from '../../protocol/vocabulary.ts';
import { WEB_CHAT_LIMITS, type WebChatResult, type WebConversation } from '../../protocol/web-chat.ts';
import { openChannel } from './acts.ts';
import { BROADCAST_NAMES } from '../security/person-names.ts';
import type { Person } from './people.ts';
import { mayInvite } from './person-acts.ts';
import { FIRST_CHANNEL, channelPlace, keyOfId } from './places.ts';
import type { WebRoom, PlacedNotice } from './room.ts';

export interface Greeting {
  result: WebChatResult<'hello'>;
  /** The notices to send after the answer. */
  missed: readonly PlacedNotice[];
  /** The answer and `missed` cover the log up to here. The tab is told everything newer. */
  position: number;
}

export interface GreetingDeps {
  room: WebRoom;
  instance: string;
  /** True when the agent has a session. */
  isConnected: (agent: string) => boolean;
}

/** The tab has joined before this is called and keeps new notices, so that none is lost in between. */
export async function greet(
  { room, instance, isConnected }: GreetingDeps,
  person: Person,
  resumeFrom: string | undefined,
): Promise<Greeting> {
  await ensureFirstChannel(room, person);
  const position = await room.head();
  const from = resumeFrom === undefined ? undefined : Number(resumeFrom);
  // A position beyond the log belongs to another log: this host was restored, or the tab knew another host.
  const missed =
    from === undefined || from > position ? undefined : await room.missedNotices(person.id, from, position);
  const { agents } = room.context.attention;
  const roles = [...new Set(agents.flatMap((agent) => agent.roles))];
  const people = [...(await room.people.all()).values()].slice(0, WEB_CHAT_LIMITS.peopleListed);
  return {
    missed: missed ?? [],
    position,
    result: {
      me: { ...person, connected: true },
      mayInvite: mayInvite(room),
      instance,
      position: String(position),
      resumed: missed !== undefined,
      people: people.map(({ id, name }) => ({ id, name, connected: room.connected(id) })),
      agents: agents.map(({ id, name = id, aliases, roles: held }) => ({
        id,
        name,
        aliases,
        roles: held,
        connected: isConnected(id),
      })),
      roles: roles.map((name) => ({
        name,
        agents: agents.filter((agent) => agent.roles.includes(name)).map(({ id }) => id),
      })),
      broadcasts: [...BROADCAST_NAMES],
      signals: SIGNALS.map((signal) => ({ signal, glyph: defaultGlyph(signal) })),
      conversations: await conversationsOf(room, person),
    },
  };
}

async function ensureFirstChannel(room: WebRoom, person: Person): Promise<void> {
  if (room.conversations.get(keyOfId(FIRST_CHANNEL)) !== undefined) return;
  await openChannel(room, person, channelPlace(FIRST_CHANNEL, FIRST_CHANNEL));
}

async function conversationsOf(room: WebRoom, person: Person): Promise<WebConversation[]> {
  const names = await room.names();
  const shown: WebConversation[] = [];
  for (const known of room.conversations.listed(person.id)) {
    shown.push(await room.conversations.webConversation(known, person.id, names));
  }
  return shown;
}

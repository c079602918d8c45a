// What a tab is told when it has signed in: who is here, what there is, and whether it can go on from where it was.
import { defaultGlyph } from '../../protocol/glyphs.ts';
import { SIGNALS } from '../../protocol/vocabulary.ts';
import { WEB_CHAT_LIMITS, type WebChatResult, type WebConversation } from '../../protocol/web-chat.ts';
import { openChannel } from './acts.ts';
import { BROADCASTS } from './names.ts';
import type { Person } from './people.ts';
import { FIRST_CHANNEL, channelPlace, keyOfId } from './places.ts';
import type { Room, Told } from './room.ts';

export interface Greeting {
  result: WebChatResult<'hello'>;
  /** To be told after the answer, and from which position on everything newer. */
  missed: readonly Told[];
  position: number;
}

export interface GreetingDeps {
  room: Room;
  instance: string;
  /** Does this agent have a session? */
  isConnected: (agent: string) => boolean;
}

/** The tab is told already, and keeps what it hears, so that nothing falls between. */
export async function greet(
  { room, instance, isConnected }: GreetingDeps,
  person: Person,
  resumeFrom: string | undefined,
): Promise<Greeting> {
  await ensureFirstChannel(room, person);
  const position = await room.head();
  const from = resumeFrom === undefined ? undefined : Number(resumeFrom);
  // A position of another log: this host was restored, or is not the one the tab knew.
  const missed =
    from === undefined || from > position ? undefined : await room.missed(person.id, from, position);
  const { agents } = room.context.attention;
  const roles = [...new Set(agents.flatMap((agent) => agent.roles))];
  const people = [...(await room.people.all()).values()].slice(0, WEB_CHAT_LIMITS.peopleListed);
  return {
    missed: missed ?? [],
    position,
    result: {
      me: { ...person, connected: true },
      instance,
      position: String(position),
      resumed: missed !== undefined,
      people: people.map((one) => ({ ...one, connected: room.connected(one.id) })),
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
      broadcasts: [...BROADCASTS],
      signals: SIGNALS.map((signal) => ({ signal, glyph: defaultGlyph(signal) })),
      conversations: await conversationsOf(room, person),
    },
  };
}

async function ensureFirstChannel(room: Room, person: Person): Promise<void> {
  if (room.conversations.get(keyOfId(FIRST_CHANNEL)) !== undefined) return;
  await openChannel(room, person, channelPlace(FIRST_CHANNEL, FIRST_CHANNEL));
}

async function conversationsOf(room: Room, person: Person): Promise<WebConversation[]> {
  const names = await room.names();
  const shown: WebConversation[] = [];
  for (const known of room.conversations.listed(person.id)) {
    shown.push(await room.conversations.shown(known, person.id, names));
  }
  return shown;
}

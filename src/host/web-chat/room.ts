// The web chat of one host, for all its tabs: what there is to read, who is told as it happens (live.ts), and what a tab
// that comes back has missed. Opened when the first person signs in; nobody pays for it before.
import type { ChatEvent } from '../../protocol/chat-event.ts';
import { WEB_CHAT_LIMITS } from '../../protocol/web-chat.ts';
import type { Schedule } from '../../runtime/schedule.ts';
import type { IngestResult, SurfacePlace } from '../../surfaces/surface.ts';
import type { HostContext } from '../kernel/context.ts';
import type { HostNews } from '../kernel/change.ts';
import { type Conversations, loadConversations } from './conversations.ts';
import { type Listener, Live } from './live.ts';
import { type Messages, createMessages } from './messages.ts';
import { type Names, namesOf } from './names.ts';
import { type Notice, type NoticesDeps, rowNotices } from './notices.ts';
import type { People, Person } from './people.ts';
import { isWebKey, maySee } from './places.ts';

/** The surface, as far as the room needs it. */
export interface WebDoor {
  ingest(events: readonly ChatEvent[]): Promise<IngestResult[]>;
  onTyping(listener: (place: SurfacePlace, agent: string) => void): () => void;
}

export interface RoomDeps {
  context: HostContext;
  people: People;
  door: WebDoor;
  clean: (text: string) => string;
  schedule: Schedule;
}

export interface Room extends RoomDeps, NoticesDeps {
  messages: Messages;
  conversations: Conversations;
  names: () => Promise<Names>;
  /** From now on the tab is told. Gives back how to leave. */
  join(listener: Listener): () => void;
  connected(person: string): boolean;
  /** Where the log is now. */
  head(): Promise<number>;
  /** What a person missed between two positions, in order; undefined when it is too much to tell one by one. */
  missed(person: string, after: number, until: number): Promise<Told[] | undefined>;
  close(): void;
}
export interface Told {
  notice: Notice;
  position: number;
}

export async function openRoom(deps: RoomDeps): Promise<Room> {
  const { context, people, clean } = deps;
  const { store, attention, bus } = context;
  // What is logged while the conversations are being read is heard afterwards.
  const early: HostNews[] = [];
  let hear = (news: HostNews): void => void (news.type === 'logged' && early.push(news));
  const unlisten = bus.listen((news) => hear(news));
  const names = namesFor(attention, people);
  const known: { conversations?: Conversations } = {};
  const exists = (key: string): boolean => known.conversations?.get(key) !== undefined;
  const messages = createMessages({ store, clean, names, exists });
  const textNow = async (eventId: string): Promise<string> => {
    const row = await store.get('log', eventId);
    return row?.type === 'message' ? (await messages.current(row)).text : '';
  };
  const conversations = await loadConversations({ context, clean, textNow });
  known.conversations = conversations;
  const live = new Live({ ...deps, conversations, messages, names });
  early.forEach((news) => live.heard(news));
  hear = (news) => live.heard(news);
  const untyping = deps.door.onTyping((place, agent) => live.agentTypes(place.conversationId, agent));
  const unwatch = people.onChange(() => live.peopleChanged());
  const room = { ...deps, conversations, messages, names };
  return {
    ...room,
    join: (listener) => live.join(listener),
    connected: (person) => live.connected(person),
    async head() {
      const [last] = await store.scan('log', 'byPosition', { limit: 1, descending: true });
      return last?.position ?? 0;
    },
    missed: (person, after, until) => missed(room, person, after, until),
    close() {
      for (const stop of [unlisten, untyping, unwatch]) stop();
    },
  };
}

/** Worked out once for every change among the people. */
function namesFor(attention: HostContext['attention'], people: People): () => Promise<Names> {
  let last: { people: ReadonlyMap<string, Person>; names: Names } | undefined;
  return async () => {
    const now = await people.all();
    if (last?.people !== now) last = { people: now, names: namesOf(attention, now) };
    return last.names;
  };
}

/** Rows of every surface lie between; beyond so many a tab reads anew. */
const ROWS_PASSED = 5_000;
const PAGE = 500;

async function missed(
  room: RoomDeps & NoticesDeps,
  person: string,
  after: number,
  until: number,
): Promise<Told[] | undefined> {
  const { store } = room.context;
  const told: Told[] = [];
  let from = after;
  for (let passed = 0; from < until; passed += PAGE) {
    if (passed >= ROWS_PASSED) return undefined;
    const rows = await store.scan('log', 'byPosition', { after: from, before: until + 1, limit: PAGE });
    for (const row of rows) {
      if (!isWebKey(row.conversation) || !maySee(person, row.record.event.conversation.id)) continue;
      const { position } = row;
      for (const notice of await rowNotices(room, row, person, row.seq === 1)) {
        told.push({ notice, position });
      }
      if (told.length > WEB_CHAT_LIMITS.resumeRows) return undefined;
    }
    from = rows.length < PAGE ? until : (rows.at(-1)?.position ?? until);
  }
  return told;
}

// The web chat of one host, shared by all tabs: conversations and messages to read, live notices (live.ts), and what a
// tab that reconnects has missed. It opens when the first person signs in, so an unused web chat costs nothing.
import type { ChatEvent } from '../../protocol/chat-event.ts';
import { WEB_CHAT_LIMITS } from '../../protocol/web-chat.ts';
import type { Schedule } from '../../runtime/schedule.ts';
import type { IngestResult, SurfacePlace } from '../../surfaces/surface.ts';
import type { HostContext } from '../kernel/context.ts';
import type { HostNews } from '../kernel/change.ts';
import { type Conversations, loadConversations } from './conversations.ts';
import { type TabListener, Live } from './live.ts';
import { type Messages, createMessages } from './messages.ts';
import { type Names, createNames } from './names.ts';
import { type Notice, type NoticesDeps, rowNotices } from './notices.ts';
import type { People, Person } from './people.ts';
import { isWebKey, personMaySee } from './places.ts';

/** The web surface, as far as the web chat needs it. */
export interface WebDoor {
  ingest(events: readonly ChatEvent[]): Promise<IngestResult[]>;
  onTyping(listener: (place: SurfacePlace, agent: string) => void): () => void;
}

export interface WebRoomDeps {
  context: HostContext;
  people: People;
  door: WebDoor;
  clean: (text: string) => string;
  schedule: Schedule;
}

export interface WebRoom extends WebRoomDeps, NoticesDeps {
  messages: Messages;
  conversations: Conversations;
  names: () => Promise<Names>;
  /** Tells the tab from now on. Returns a function that stops this. */
  join(listener: TabListener): () => void;
  connected(person: string): boolean;
  /** The position of the newest log row. */
  head(): Promise<number>;
  /** What a person missed between two positions, in order; undefined when there is too much to send one by one. */
  missedNotices(person: string, after: number, until: number): Promise<PlacedNotice[] | undefined>;
  close(): void;
}
export interface PlacedNotice {
  notice: Notice;
  position: number;
}

export async function openWebRoom(deps: WebRoomDeps): Promise<WebRoom> {
  const { context, people, clean } = deps;
  const { store, bus } = context;
  // Rows that are logged while the conversations load are handled afterwards.
  const early: HostNews[] = [];
  let onNews = (news: HostNews): void => void (news.type === 'logged' && early.push(news));
  const unlisten = bus.listen((news) => onNews(news));
  const names = namesFor(context, people);
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
  early.forEach((news) => live.onNews(news));
  onNews = (news) => live.onNews(news);
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
    missedNotices: (person, after, until) => readMissed(room, person, after, until),
    close() {
      for (const stop of [unlisten, untyping, unwatch]) stop();
    },
  };
}

/** The names, computed again only when the people have changed. */
function namesFor(
  { attention, glyphsOf }: Pick<HostContext, 'attention' | 'glyphsOf'>,
  people: People,
): () => Promise<Names> {
  let last: { people: ReadonlyMap<string, Person>; names: Names } | undefined;
  return async () => {
    const now = await people.all();
    if (last?.people !== now) last = { people: now, names: createNames(attention, now, glyphsOf) };
    return last.names;
  };
}

/** At most this many rows, of all surfaces, are searched. With more, the tab loads its pages again. */
const ROWS_PASSED = 5_000;
const PAGE = 500;

async function readMissed(
  room: WebRoomDeps & NoticesDeps,
  person: string,
  after: number,
  until: number,
): Promise<PlacedNotice[] | undefined> {
  const { store } = room.context;
  const told: PlacedNotice[] = [];
  let from = after;
  for (let passed = 0; from < until; passed += PAGE) {
    if (passed >= ROWS_PASSED) return undefined;
    const rows = await store.scan('log', 'byPosition', { after: from, before: until + 1, limit: PAGE });
    for (const row of rows) {
      if (!isWebKey(row.conversation) || !personMaySee(person, row.record.event.conversation.id)) continue;
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

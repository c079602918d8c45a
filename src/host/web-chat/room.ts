// The web chat of one host, shared by all tabs: conversations and messages to read, live notices (live.ts), and what a
// tab that reconnects has missed. It opens when the first person signs in, so an unused web chat costs nothing.
import type { ChatEvent } from '../../protocol/chat-event.ts';
import { WEB_CHAT_LIMITS, type WebMessage } from '../../protocol/web-chat.ts';
import type { Schedule } from '../../runtime/schedule.ts';
import type { ActAnswer, IngestResult, SurfaceAct, SurfacePlace } from '../../surfaces/surface.ts';
import type { AttentionSettings } from '../../attention/index.ts';
import type { HostContext } from '../kernel/context.ts';
import type { TailedRow } from '../kernel/log-tail.ts';
import type { Growing } from '../turn/growing.ts';
import { type Conversations, loadConversations } from './conversations.ts';
import { type TabListener, Live } from './live.ts';
import { type Messages, createMessages } from './messages.ts';
import { type Names, createNames } from './names.ts';
import { type Notice, type NoticesDeps, rowNotices } from './notices.ts';
import type { People, Person } from './people.ts';
import { createPeopleElsewhere } from './present.ts';
import { isWebKey, personMaySee } from './places.ts';
import type { Uploads } from './uploads.ts';

/** The web surface, as far as the web chat needs it. */
export interface WebDoor {
  ingest(events: readonly ChatEvent[]): Promise<IngestResult[]>;
  onTyping(listener: (place: SurfacePlace, agent: string) => void): () => void;
}

export interface WebRoomDeps {
  context: HostContext;
  people: People;
  door: WebDoor;
  uploads: Uploads;
  clean: (text: string) => string;
  schedule: Schedule;
  /** Answers that are being written. */
  growing: Pick<Growing, 'at' | 'listen'>;
  /** True when the agent has a session. */
  isConnected: (agent: string) => boolean;
  /** Takes back what agents have in a conversation that is closed: deliveries, running turns, what is not yet sent. */
  withdraw: (conversation: string) => Promise<void>;
  /** What a person did that is no message, on the surface that asked them. */
  act: (surface: string, act: SurfaceAct) => Promise<ActAnswer>;
}

export interface WebRoom extends WebRoomDeps, NoticesDeps {
  messages: Messages;
  conversations: Conversations;
  names: () => Promise<Names>;
  /** A tab has loaded these messages, so it is told when agents go on with them. */
  loaded(messages: readonly WebMessage[]): void;
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
  const { store, bus, tail, changes } = context;
  // Rows that are logged while the conversations load are handled afterwards.
  const early: TailedRow[] = [];
  const opened: { live?: Live } = {};
  const unfollow = await tail.follow(
    (row) => (opened.live === undefined ? early.push(row) : opened.live.logged(row)),
    () => opened.live?.isWatched === true,
  );
  const names = namesFor(context, people);
  const known: { conversations?: Conversations } = {};
  const exists = (key: string): boolean => known.conversations?.get(key) !== undefined;
  const messages = createMessages({ store, clean, names, exists, isConnected: deps.isConnected });
  const textNow = async (eventId: string): Promise<string> => {
    const row = await store.get('log', eventId);
    return row?.type === 'message' ? (await messages.current(row, '')).text : '';
  };
  const conversations = await loadConversations({ context, clean, textNow });
  known.conversations = conversations;
  const elsewhere = await createPeopleElsewhere(context, (person) => opened.live?.presenceChanged(person));
  const live = new Live({ ...deps, conversations, messages, names, elsewhere });
  early.forEach((row) => live.logged(row));
  opened.live = live;
  const unlisten = bus.listen((news) => live.onNews(news));
  const unlook = changes.onLook(() => live.looked());
  const untyping = deps.door.onTyping((place, agent) => live.agentTypes(place.conversationId, agent));
  const ungrow = deps.growing.listen((news) => live.grew(news));
  const unwatch = people.onChange(() => live.peopleChanged());
  const room = { ...deps, conversations, messages, names };
  return {
    ...room,
    loaded: (shown) => live.loaded(shown),
    join: (listener) => live.join(listener),
    connected: (person) => live.connected(person),
    head: () => tail.head(),
    missedNotices: (person, after, until) => readMissed(room, person, after, until),
    close() {
      for (const stop of [unfollow, unlisten, unlook, untyping, ungrow, unwatch]) stop();
      elsewhere.close();
    },
  };
}

/** The names, computed again only when the people or the settings have changed. */
function namesFor(
  context: Pick<HostContext, 'attention' | 'glyphsOf'>,
  people: People,
): () => Promise<Names> {
  let last: { people: ReadonlyMap<string, Person>; attention: AttentionSettings; names: Names } | undefined;
  return async () => {
    const now = await people.all();
    const { attention, glyphsOf } = context;
    if (last?.people !== now || last.attention !== attention)
      last = { people: now, attention, names: createNames(attention, now, glyphsOf) };
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

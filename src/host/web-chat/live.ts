// Tells the tabs what happens. Rows of the log are told in the order of their positions, so a tab that has one position has
// everything before it. Typing, presence, the states of agents and what grows are
// told once and never repeated.
import type { WebMessage } from '../../protocol/web-chat.ts';
import type { Scanned } from '../../store/store.ts';
import type { LogRow } from '../../store/tables.ts';
import { sendOfApproval } from '../inbox/inbox-row.ts';
import type { HostNews } from '../kernel/change.ts';
import type { TailedRow } from '../kernel/log-tail.ts';
import { questionAbout } from '../send/question-ends.ts';
import type { GrowingNews } from '../turn/growing.ts';
import { growingNotice } from './growing.ts';
import { type Notice, type NoticesDeps, rowNotices } from './notices.ts';
import type { PeopleElsewhere } from './present.ts';
import { isWebKey, personMaySee } from './places.ts';
import type { WebRoomDeps } from './room.ts';
import { isAuthor, type Messages, type Progress } from './messages.ts';
import { Watch } from './watch.ts';

/** A tab, as far as Live needs it. */
export interface TabListener {
  person: string;
  /** A notice with a position is told again when the tab reconnects without having received it. */
  tell(notice: Notice, position?: number): void;
  /** Disconnects the tab because it may have missed something. It reconnects and catches up. */
  drop(): void;
}

type LiveDeps = WebRoomDeps &
  NoticesDeps & {
    messages: Messages;
    /** Who is connected to other hosts. */
    elsewhere: Pick<PeopleElsewhere, 'connected' | 'tell'>;
  };

export class Live {
  readonly #deps: LiveDeps;
  readonly #listeners = new Set<TabListener>();
  /** Rows that are logged and not told yet. */
  readonly #rows: TailedRow[] = [];
  /** The keys of those rows that started a conversation or gave it another title. */
  readonly #opening = new Set<string>();
  readonly #watch: Watch;
  #names: ReadonlyMap<string, string> = new Map();
  #flushing = false;
  /** Ends with the last growing answer that was told. */
  #growing: Promise<void> = Promise.resolve();

  constructor(deps: LiveDeps) {
    this.#deps = deps;
    const { store, clock } = deps.context;
    const tell = (row: LogRow, { why, ...progress }: Progress): void => {
      const conversation = row.record.event.conversation.id;
      const params = { conversation, eventId: row.key, ...progress };
      const sees = (person: string): boolean => personMaySee(person, conversation);
      this.#tell((person) => sees(person) && !isAuthor(row, person), { method: 'state', params });
      const own = why === undefined ? params : { ...params, why };
      this.#tell((person) => sees(person) && isAuthor(row, person), { method: 'state', params: own });
    };
    const soon = (): void => this.#flushSoon();
    this.#watch = new Watch({ store, clock, messages: deps.messages, tell, soon });
  }

  join(listener: TabListener): () => void {
    const first = !this.#isHere(listener.person);
    this.#listeners.add(listener);
    if (first) this.#cameOrLeft(listener.person);
    return () => {
      if (this.#listeners.delete(listener) && !this.#isHere(listener.person)) {
        this.#cameOrLeft(listener.person);
      }
      if (this.#listeners.size === 0) this.#watch.forget();
    };
  }

  loaded(messages: readonly WebMessage[]): void {
    if (this.#listeners.size > 0) this.#watch.loaded(messages);
  }

  connected(person: string): boolean {
    return this.#isHere(person) || this.#deps.elsewhere.connected(person);
  }

  #isHere(person: string): boolean {
    return [...this.#listeners].some((listener) => listener.person === person);
  }

  #cameOrLeft(person: string): void {
    this.#deps.elsewhere.tell([...new Set([...this.#listeners].map((listener) => listener.person))]);
    this.presenceChanged(person);
  }

  get isWatched(): boolean {
    return this.#listeners.size > 0;
  }

  /** Another host may have moved a delivery, which leaves no row in the log. */
  looked(): void {
    this.#watch.due();
  }

  onNews(news: HostNews): void {
    switch (news.type) {
      case 'deliver':
      case 'settled':
      case 'withdraw':
        return this.#changed(news.delivery.conversation, [news.delivery.source]);
      case 'typing':
        return this.#typing(news);
      case 'session': {
        const { agent, connected } = news;
        this.#watch.due();
        return this.#tell(everybody, { method: 'presence', params: { kind: 'agent', agent, connected } });
      }
      case 'due':
        return this.#watch.due();
      case 'inbox':
        return this.#decided(news.key);
      case 'logged': // the tail tells it
      case 'ready':
      case 'cancel_turn':
      case 'outbox':
      case 'outbox_done':
      case 'progress':
      case 'surface':
      case 'turn_failed':
      case 'warning':
      case 'clock':
      case 'token_revoked':
      case 'settings':
        return;
    }
  }

  agentTypes(conversation: string, agent: string): void {
    this.#later(async () => {
      const author = (await this.#deps.names()).author({ id: agent, kind: 'agent' });
      const notice: Notice = { method: 'typing', params: { conversation, author, typing: true } };
      this.#tell((person) => personMaySee(person, conversation), notice);
    });
  }

  /** Tells what grew in the order in which it grew. A tab that joins later asks for the rest with `open`. */
  grew(news: GrowingNews): void {
    const known = this.#deps.conversations.get(news.grown.conversation);
    if (known === undefined || this.#listeners.size === 0 || news.type === 'shown') return;
    const { id } = known.place.conversation;
    this.#growing = this.#growing
      .then(async () => {
        const notice = growingNotice(news, known, await this.#deps.names());
        this.#tell((person) => personMaySee(person, id), notice);
      })
      .catch((error: unknown) =>
        this.#deps.context.log.warn({ err: error }, 'a growing answer was not told'),
      );
  }

  peopleChanged(): void {
    this.#later(async () => {
      const before = this.#names;
      const people = await this.#deps.people.all();
      this.#names = new Map([...people.values()].map(({ id, name }) => [id, name]));
      for (const [id, name] of this.#names) if (before.get(id) !== name) this.presenceChanged(id);
    });
  }

  /** Rows come in the order of the log. */
  logged(row: TailedRow): void {
    if (!isWebKey(row.conversation)) return;
    const opens = this.#deps.conversations.note(row);
    if (this.#listeners.size === 0) return;
    const { event } = row.record;
    if (event.type === 'turn') return this.#changed(row.conversation, event.eventIds ?? []);
    if (event.type === 'claim' && event.targetEventId !== undefined) {
      return this.#changed(row.conversation, [event.targetEventId]);
    }
    if (opens) this.#opening.add(row.key);
    this.#rows.push(row);
    this.#flushSoon();
  }

  /** Something that waited for a person was decided, or begins to wait. */
  #decided(item: string): void {
    const approval = sendOfApproval(item);
    if (approval === undefined || this.#listeners.size === 0) return;
    const { store } = this.#deps.context;
    this.#later(async () => {
      const send = await store.get('outbox', approval);
      const asked = send === undefined ? undefined : await questionAbout(store, send);
      if (asked !== undefined) this.#changed(asked.conversation, [asked.eventId]);
    });
  }

  #changed(conversation: string, sources: readonly string[]): void {
    if (this.#listeners.size === 0 || !isWebKey(conversation)) return;
    this.#watch.changed(sources);
  }

  /** Waits for the next turn of the event loop. By then all news of a commit has arrived, in whatever order. */
  #flushSoon(): void {
    if (this.#flushing) return;
    this.#flushing = true;
    this.#deps.schedule(() => {
      this.#flush().catch((error: unknown) => {
        this.#deps.context.log.error({ err: error }, 'the tabs could not be told; they are to come back');
        for (const listener of this.#listeners) listener.drop();
      });
    });
  }

  async #flush(): Promise<void> {
    try {
      while (this.#rows.length > 0 || this.#watch.waiting) {
        for (const row of await this.#placed(this.#rows.splice(0))) await this.#tellRow(row);
        await this.#watch.flush();
        // A batch publishes all its news in one turn of the event loop. Waiting here keeps later rows behind them.
        await new Promise<void>((resolve) => this.#deps.schedule(resolve));
      }
    } finally {
      this.#flushing = false;
    }
  }

  async #placed(rows: readonly TailedRow[]): Promise<Scanned<LogRow>[]> {
    const { store } = this.#deps.context;
    const placed: Scanned<LogRow>[] = [];
    for (const row of rows) {
      if ('position' in row) {
        placed.push(row);
        continue;
      }
      const { conversation, seq } = row;
      const range = { eq: [conversation], after: seq - 1, limit: 1 };
      placed.push(...(await store.scan('log', 'byConversation', range)));
    }
    return placed.toSorted((a, b) => a.position - b.position);
  }

  async #tellRow(row: Scanned<LogRow>): Promise<void> {
    const opens = this.#opening.delete(row.key);
    const { id } = row.record.event.conversation;
    const notices = new Map<string, readonly Notice[]>();
    for (const { person } of this.#listeners) {
      if (notices.has(person) || !personMaySee(person, id)) continue;
      notices.set(person, await rowNotices(this.#deps, row, person, opens));
    }
    for (const listener of this.#listeners) {
      for (const notice of notices.get(listener.person) ?? []) listener.tell(notice, row.position);
    }
  }

  #typing({ author, typing, conversation: key }: Extract<HostNews, { type: 'typing' }>): void {
    const id = this.#deps.conversations.get(key)?.place.conversation.id;
    if (id === undefined || this.#listeners.size === 0) return;
    this.#later(async () => {
      const shown = (await this.#deps.names()).author(author);
      const notice: Notice = { method: 'typing', params: { conversation: id, author: shown, typing } };
      const own = author.kind === 'human' ? author.id : undefined;
      this.#tell((person) => person !== own && personMaySee(person, id), notice);
    });
  }

  /** Somebody came to this host or another, or left it. */
  presenceChanged(person: string): void {
    this.#later(async () => {
      const known = (await this.#deps.people.all()).get(person);
      if (known === undefined) return;
      const shown = { id: known.id, name: known.name, connected: this.connected(person) };
      this.#tell(everybody, { method: 'presence', params: { kind: 'human', person: shown } });
    });
  }

  #tell(whom: (person: string) => boolean, notice: Notice): void {
    for (const listener of this.#listeners) if (whom(listener.person)) listener.tell(notice);
  }

  /** Runs in the background. A failure is logged, and the notice is lost. */
  #later(run: () => Promise<void>): void {
    run().catch((error: unknown) => this.#deps.context.log.warn({ err: error }, 'a sign could not be told'));
  }
}

const everybody = (): boolean => true;

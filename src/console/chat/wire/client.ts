// The chat of one tab: the connection, the state, and what is still to be sent. After a loss it reconnects by itself,
// resumes from the last position, and sends everything unanswered again under the same key.
import type {
  WebChatMethod,
  WebChatParams,
  WebChatResult,
  WebConversation,
  WebFile,
  WebMessage,
} from '../../../protocol/web-chat.ts';
import { SILENT_MS } from '../limits.ts';
import { countedAs } from '../state/change.ts';
import type { RoomState } from '../state/room.ts';
import { type ChatAction, type ChatNews, type ChatState, INITIAL, reduce } from '../state/state.ts';
import type { Send } from '../state/sends.ts';
import { fetchFile } from './files.ts';
import { type Pace, PACE, pause } from './pause.ts';
import { chatWords, Lost, ChatRefusal } from './refusal.ts';
import type { ChatSocket } from './socket.ts';
import { stayConnected } from './stay.ts';

type Written = 'edit' | 'delete' | 'react' | 'create' | 'change';
type Unkeyed<M extends Written> = M extends Written ? DistributiveOmit<WebChatParams<M>, 'key'> : never;
type DistributiveOmit<T, K extends string> = T extends unknown ? Omit<T, K> : never;

export interface ChatClientOptions {
  url: string;
  token: string;
  pace?: Pace;
  /** The files of sends, which the host forgets with a restart. */
  files?: {
    renew: (files: readonly WebFile[]) => Promise<WebFile[]>;
    forget: (files: readonly WebFile[]) => void;
  };
  /** The window. Its `online` and `focus` events end a wait. */
  wake?: EventTarget;
}

const PAGE_MESSAGES = 50;
/** How many pages back a found message is looked for. */
const REACHED_PAGES = 200;
const TICK_MS = 1_000;
const TYPING_EVERY_MS = 3_000;
/** Often enough that the host never considers this tab gone. */
const PING_MS = SILENT_MS / 3;
/** How often a busy or restarting host is asked before the person is told. */
const ATTEMPTS = 3;
const LONGEST_WAIT_MS = 5_000;
const KEY_BYTES = 16;

export class ChatClient {
  readonly #options: ChatClientOptions;
  readonly #listeners = new Set<() => void>();
  readonly #hearers = new Set<(message: WebMessage) => void>();
  readonly #onScreen = new Map<string, number>();
  #state: ChatState = INITIAL;
  #socket: ChatSocket | undefined;
  #run: AbortController | undefined;
  #flushing = false;
  #typed = { conversation: '', atMs: 0 };

  constructor(options: ChatClientOptions) {
    this.#options = options;
  }

  readonly state = (): ChatState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Calls the listener with each new message. Those of before the tab connected are only counted. */
  onMessage(listener: (message: WebMessage) => void): () => void {
    this.#hearers.add(listener);
    return () => this.#hearers.delete(listener);
  }

  isOnScreen(conversation: string): boolean {
    return this.#onScreen.has(conversation);
  }

  start(): void {
    if (this.#run !== undefined) return;
    this.#run = new AbortController();
    void this.#stay(this.#run.signal);
  }

  stop(): void {
    this.#run?.abort();
    this.#run = undefined;
  }

  /** Keeps a conversation loaded while it is on the screen, also after a gap. */
  show(conversation: string): () => void {
    this.#onScreen.set(conversation, (this.#onScreen.get(conversation) ?? 0) + 1);
    if (this.#state.rooms.get(conversation)?.opened !== true) void this.#read(conversation);
    return () => {
      const left = (this.#onScreen.get(conversation) ?? 1) - 1;
      if (left === 0) this.#onScreen.delete(conversation);
      else this.#onScreen.set(conversation, left);
    };
  }

  /** Loads the page before the oldest loaded message. */
  older(conversation: string): void {
    const room = this.#state.rooms.get(conversation);
    const before = room?.held[0]?.message.eventId;
    if (room?.more === true && before !== undefined) void this.#read(conversation, before);
  }

  again(conversation: string): void {
    void this.#read(conversation);
  }

  post(conversation: string, text: string, replyTo?: string, files: readonly WebFile[] = []): void {
    const send: Send = {
      key: newKey(),
      conversation,
      text,
      atMs: Date.now(),
      ...(replyTo === undefined ? {} : { replyTo }),
      ...(files.length === 0 ? {} : { files }),
    };
    this.#dispatch({ type: 'send', send });
    this.#typed = { conversation: '', atMs: 0 };
    void this.#flush();
  }

  resend(key: string): void {
    this.#dispatch({ type: 'resend', key });
    void this.#flush();
  }

  discard(key: string): void {
    this.#forgetFiles(key);
    this.#dispatch({ type: 'discard', key });
  }

  async edit(eventId: string, text: string): Promise<void> {
    await this.#write('edit', { eventId, text });
  }

  async remove(eventId: string): Promise<void> {
    await this.#write('delete', { eventId });
  }

  async react(eventId: string, signal: WebChatParams<'react'>['signal'], remove: boolean): Promise<void> {
    await this.#write('react', { eventId, signal, remove });
  }

  async choose(eventId: string, choice: string): Promise<string> {
    const socket = await this.#live();
    return (await socket.call('choose', { eventId, choice })).text;
  }

  fileBytes(eventId: string, file: string): Promise<Blob> {
    return fetchFile(this.#options.token, eventId, file);
  }

  async search(wanted: WebChatParams<'search'>): Promise<WebChatResult<'search'>> {
    const socket = await this.#live();
    return socket.call('search', wanted);
  }

  /** Loads older pages until the message is here. False: there is none, or it is too far back. */
  async reach(conversation: string, eventId: string): Promise<boolean> {
    for (let page = 0; page < REACHED_PAGES; page++) {
      const room = await this.#settled(conversation);
      if (room === undefined || room.problem !== undefined) return false;
      if (room.held.some(({ message }) => message.eventId === eventId)) return true;
      if (room.root?.eventId === eventId) return true;
      // The host knows whether it is worth going on: the message may be gone, elsewhere, or not for this person.
      if (page === 0 && !(await this.#isIn(conversation, eventId))) return false;
      const before = room.held[0]?.message.eventId;
      if (!room.more || before === undefined) return false;
      await this.#read(conversation, before);
    }
    return false;
  }

  async #isIn(conversation: string, eventId: string): Promise<boolean> {
    try {
      const socket = await this.#live();
      return (await socket.call('find', { eventId })).message.conversation === conversation;
    } catch (error) {
      if (error instanceof ChatRefusal || error instanceof Lost) return error instanceof Lost;
      throw error;
    }
  }

  /** The room once it is open and no page of it is on its way. Undefined when the chat has ended. */
  #settled(conversation: string): Promise<RoomState | undefined> {
    return new Promise((resolve) => {
      const look = (): void => {
        const room = this.#state.rooms.get(conversation);
        const done = (room?.opened === true || room?.problem !== undefined) && !room.reading;
        if (!done && this.#state.status !== 'refused') return;
        stop();
        resolve(done ? room : undefined);
      };
      const stop = this.subscribe(look);
      look();
    });
  }

  async create(wanted: Unkeyed<'create'>): Promise<WebConversation> {
    const { conversation } = await this.#write('create', wanted);
    this.#dispatch({ type: 'conversation', conversation });
    return conversation;
  }

  /** Renames, archives, restores or deletes a channel. */
  async change(wanted: Unkeyed<'change'>): Promise<void> {
    const { conversation } = await this.#write('change', wanted);
    const before = this.#state.conversations.get(conversation.id);
    this.#dispatch({ type: 'conversation', conversation: countedAs(conversation, before) });
  }

  /** Makes a person. Returns the token, which the host tells once. */
  async invite(name: string): Promise<string> {
    const socket = await this.#live();
    return (await socket.call('invite', { name })).token;
  }

  async rename(name: string): Promise<void> {
    const socket = await this.#live();
    const { me } = await socket.call('rename', { name });
    this.#dispatch({ type: 'me', me });
  }

  typing(conversation: string, typing: boolean): void {
    const { conversation: where, atMs } = this.#typed;
    const now = Date.now();
    if (typing && where === conversation && now - atMs < TYPING_EVERY_MS) return;
    if (!typing && where !== conversation) return;
    this.#typed = typing ? { conversation, atMs: now } : { conversation: '', atMs: 0 };
    this.#tell('typing', { conversation, typing });
  }

  /** Everything up to this message has been seen. Undefined when the end of no conversation is on the screen. */
  watch(seen: Pick<WebMessage, 'conversation' | 'eventId'> | undefined): void {
    if (this.#state.watching !== seen?.conversation)
      this.#dispatch({ type: 'watching', conversation: seen?.conversation });
    if (seen === undefined || this.#socket === undefined) return;
    const { conversation, eventId } = seen;
    this.#socket.call('read', { conversation, eventId }).then(
      (unread) => this.#dispatch({ type: 'read', conversation, unread }),
      // It is sent again with the next message or after the gap.
      () => undefined,
    );
  }

  async #stay(signal: AbortSignal): Promise<void> {
    const ticking = setInterval(() => this.#dispatch({ type: 'tick', nowMs: Date.now() }), TICK_MS);
    const pinging = setInterval(() => this.#tell('ping', {}), PING_MS);
    const { url, pace = PACE, wake } = this.#options;
    await stayConnected(signal, {
      url,
      pace,
      wake,
      hear: (news) => this.#hear(news),
      greet: (socket) => this.#greet(socket),
      ended: (socket) => {
        if (this.#socket === socket) this.#socket = undefined;
      },
      lost: () => this.#dispatch({ type: 'status', status: 'lost' }),
      refused: ({ message: problem }) => this.#dispatch({ type: 'status', status: 'refused', problem }),
    });
    clearInterval(ticking);
    clearInterval(pinging);
  }

  #hear(news: ChatNews): void {
    this.#dispatch({ type: 'news', news, nowMs: Date.now() });
    if (news.name !== 'message' || Number(news.news.position) <= this.#state.countedTo) return;
    for (const hearer of this.#hearers) hearer(news.news.message);
  }

  async #greet(socket: ChatSocket): Promise<void> {
    const { position } = this.#state;
    const resume = position === undefined ? {} : { resumeFrom: position };
    try {
      const hello = await socket.call('hello', { token: this.#options.token, ...resume });
      this.#socket = socket;
      this.#dispatch({ type: 'hello', hello });
    } catch (error) {
      socket.close();
      throw error;
    }
    for (const conversation of this.#onScreen.keys()) void this.#read(conversation);
    void this.#flush();
  }

  async #read(conversation: string, before?: string): Promise<void> {
    const socket = this.#socket;
    if (socket === undefined || this.#state.rooms.get(conversation)?.reading === true) return;
    this.#dispatch({ type: 'reading', conversation });
    try {
      const asked = { conversation, limit: PAGE_MESSAGES, ...(before === undefined ? {} : { before }) };
      const { conversation: about, messages, more, root, growing } = await socket.call('open', asked);
      this.#dispatch({ type: 'page', conversation: about, page: { messages, more, root, before, growing } });
    } catch (error) {
      // After a loss the page is asked for again.
      const problem = error instanceof Lost ? {} : { problem: chatWords(error) };
      this.#dispatch({ type: 'no_page', conversation, ...problem });
    }
  }

  /** Sends one after another, so that they stay in order. */
  async #flush(): Promise<void> {
    if (this.#flushing) return;
    this.#flushing = true;
    try {
      for (let send = this.#next(); send !== undefined; send = this.#next()) {
        if (this.#socket === undefined) return;
        await this.#deliver(this.#socket, send);
      }
    } catch (error) {
      if (!(error instanceof Lost)) throw error;
    } finally {
      this.#flushing = false;
    }
  }

  #next(): Send | undefined {
    return this.#state.sends.find(({ problem }) => problem === undefined);
  }

  async #deliver(socket: ChatSocket, { key, conversation, text, replyTo, files }: Send): Promise<void> {
    const reply = replyTo === undefined ? {} : { replyTo };
    let uploads = files;
    for (let attempt = 1; ; attempt++) {
      try {
        const ids = uploads === undefined ? {} : { uploads: uploads.map(({ id }) => id) };
        const { message } = await socket.call('post', { key, conversation, text, ...reply, ...ids });
        this.#forgetFiles(key);
        return this.#dispatch({ type: 'sent', key, message });
      } catch (error) {
        if (error instanceof Lost) throw error;
        if (files !== undefined && uploads === files && isGone(error)) {
          const renewed = await this.#renewed(files);
          if (renewed !== undefined) {
            uploads = renewed;
            continue;
          }
        }
        const wait = error instanceof ChatRefusal ? error.retryAfterMs : undefined;
        if (wait === undefined || wait > LONGEST_WAIT_MS || attempt === ATTEMPTS) {
          return this.#dispatch({ type: 'not_sent', key, problem: chatWords(error) });
        }
        await pause(wait, this.#run?.signal ?? AbortSignal.abort());
      }
    }
  }

  /** The files once more, under new ids. Undefined when they are not here, or the host does not take them. */
  async #renewed(files: readonly WebFile[]): Promise<WebFile[] | undefined> {
    try {
      return await this.#options.files?.renew(files);
    } catch (error) {
      if (error instanceof ChatRefusal) return undefined;
      throw error;
    }
  }

  #forgetFiles(key: string): void {
    const { files } = this.#state.sends.find((send) => send.key === key) ?? {};
    if (files !== undefined) this.#options.files?.forget(files);
  }

  /** Repeats the call until the host answers. The key makes a repeat harmless. */
  async #write<M extends Written>(method: M, wanted: Unkeyed<M>): Promise<WebChatResult<M>> {
    const params = { ...wanted, key: newKey() } as unknown as WebChatParams<M>;
    for (;;) {
      const socket = await this.#live();
      try {
        return await socket.call(method, params);
      } catch (error) {
        if (!(error instanceof Lost)) throw error;
      }
    }
  }

  async #live(): Promise<ChatSocket> {
    if (this.#socket !== undefined && this.#state.status === 'live') return this.#socket;
    return new Promise((resolve, reject) => {
      const stop = this.subscribe(() => {
        if (this.#state.status === 'live' && this.#socket !== undefined) resolve(this.#socket);
        else if (this.#state.status === 'refused') reject(new Lost());
        else return;
        stop();
      });
    });
  }

  /** Nobody waits for the answers to these. */
  #tell<M extends WebChatMethod>(method: M, params: WebChatParams<M>): void {
    this.#socket?.call(method, params).catch(() => undefined);
  }

  #dispatch(action: ChatAction): void {
    const next = reduce(this.#state, action);
    if (next === this.#state) return;
    this.#state = next;
    for (const listener of this.#listeners) listener();
  }
}

/** Something that the message names is not there: its files, after a restart of the host. */
function isGone(error: unknown): boolean {
  return error instanceof ChatRefusal && error.why === 'not_found';
}

/** Not randomUUID, because browsers have it only for https. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

// The chat of one tab: the connection, the state, and what is still to be sent. After a loss it reconnects by itself,
// resumes from the last position, and sends everything unanswered again under the same key.
import type {
  WebChatMethod,
  WebChatParams,
  WebChatResult,
  WebConversation,
  WebMessage,
} from '../../../protocol/web-chat.ts';
import { SILENT_MS } from '../limits.ts';
import { type ChatAction, type ChatState, INITIAL, reduce } from '../state/state.ts';
import type { Send } from '../state/sends.ts';
import { type Pace, PACE, pause } from './pause.ts';
import { chatWords, Lost, ChatRefusal } from './refusal.ts';
import type { ChatSocket } from './socket.ts';
import { stayConnected } from './stay.ts';

type Written = 'edit' | 'delete' | 'react' | 'create';
type Unkeyed<M extends Written> = M extends Written ? DistributiveOmit<WebChatParams<M>, 'key'> : never;
type DistributiveOmit<T, K extends string> = T extends unknown ? Omit<T, K> : never;

export interface ChatClientOptions {
  url: string;
  token: string;
  pace?: Pace;
  /** The window. Its `online` and `focus` events end a wait. */
  wake?: EventTarget;
}

const PAGE_MESSAGES = 50;
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

  post(conversation: string, text: string, replyTo?: string): void {
    const send: Send = {
      key: newKey(),
      conversation,
      text,
      atMs: Date.now(),
      ...(replyTo === undefined ? {} : { replyTo }),
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

  /** The bytes of a file, in base64. */
  async file(eventId: string, file: string): Promise<WebChatResult<'file'>> {
    const socket = await this.#live();
    return socket.call('file', { eventId, file });
  }

  async create(wanted: Unkeyed<'create'>): Promise<WebConversation> {
    const { conversation } = await this.#write('create', wanted);
    this.#dispatch({ type: 'conversation', conversation });
    return conversation;
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
      ({ unread }) => this.#dispatch({ type: 'read', conversation, unread }),
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
      hear: (news) => this.#dispatch({ type: 'news', news, nowMs: Date.now() }),
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
      const { conversation: about, messages, more, root } = await socket.call('open', asked);
      this.#dispatch({ type: 'page', conversation: about, page: { messages, more, root, before } });
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

  async #deliver(socket: ChatSocket, { key, conversation, text, replyTo }: Send): Promise<void> {
    const reply = replyTo === undefined ? {} : { replyTo };
    for (let attempt = 1; ; attempt++) {
      try {
        const { message } = await socket.call('post', { key, conversation, text, ...reply });
        return this.#dispatch({ type: 'sent', key, message });
      } catch (error) {
        if (error instanceof Lost) throw error;
        const wait = error instanceof ChatRefusal ? error.retryAfterMs : undefined;
        if (wait === undefined || wait > LONGEST_WAIT_MS || attempt === ATTEMPTS) {
          return this.#dispatch({ type: 'not_sent', key, problem: chatWords(error) });
        }
        await pause(wait, this.#run?.signal ?? AbortSignal.abort());
      }
    }
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

/** Not randomUUID, because browsers have it only for https. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

// A tab of the web chat, as WEB_CHAT_METHODS.hello describes it: it reconnects by itself, at whatever node answers,
// resumes from the last position that it was told, and where it cannot, opens its channel again. It notes every message
// that it was told, and each that came twice. It may write, too.
import { setTimeout as rest } from 'node:timers/promises';
import type { WebChatParams, WebChatResult, WebMessage } from '../../../src/protocol/web-chat.ts';

type Method = 'hello' | 'open' | 'post';
interface Frame {
  id?: string;
  method?: string;
  params?: { position?: string; message?: WebMessage };
  result?: unknown;
  error?: { message: string };
}

const PATIENCE_MS = 4_000;
const AGAIN_MS = 200;
const PAGE = 100;

export class WebTab {
  /** Every message of its channel, in the order in which it came. */
  readonly messages: WebMessage[] = [];
  readonly problems: string[] = [];
  /** Connections that were greeted, and those that had to open the channel again. */
  greeted = 0;
  reopened = 0;
  readonly #url: string;
  readonly #token: string;
  readonly #known = new Set<string>();
  #position: string | undefined;
  #channel: string | undefined;
  #socket: TabSocket | undefined;
  #isOver = false;

  constructor(url: string, token: string | undefined) {
    if (token === undefined) throw new Error('there is no token of a person');
    this.#url = `${url.replace('http', 'ws')}/web`;
    this.#token = token;
  }

  async stay(): Promise<void> {
    while (!this.#isOver) {
      try {
        const socket = await TabSocket.open(this.#url, (frame) => this.#hear(frame));
        await this.#greet(socket);
        this.#socket = socket;
        await socket.closed;
      } catch {
        // It connects again.
      }
      this.#socket?.close();
      this.#socket = undefined;
      await rest(AGAIN_MS);
    }
  }

  /** Resolves with the id of the message once a node has taken it. The same key again is the same message. */
  async say(text: string, key: string): Promise<string> {
    for (;;) {
      try {
        const conversation = this.#channel ?? '';
        const said = await this.#socket?.ask('post', { key, conversation, text });
        if (said !== undefined) return said.message.eventId;
      } catch {
        // It is sent again.
      }
      await rest(AGAIN_MS);
    }
  }

  async end(): Promise<void> {
    this.#isOver = true;
    this.#socket?.close();
  }

  async #greet(socket: TabSocket): Promise<void> {
    const resumeFrom = this.#position;
    const hello = await socket.ask('hello', {
      token: this.#token,
      ...(resumeFrom !== undefined && { resumeFrom }),
    });
    this.greeted++;
    this.#channel ??= hello.conversations.find(({ kind }) => kind === 'channel')?.id;
    // What is missed follows this answer. A tab that resumes has its position from that.
    if (hello.resumed) return;
    this.#position = hello.position;
    if (resumeFrom !== undefined) this.reopened++;
    await this.#open(socket);
  }

  /** Page by page back to what it knows. */
  async #open(socket: TabSocket): Promise<void> {
    const missed: WebMessage[] = [];
    for (let before: string | undefined; ; ) {
      const asked = {
        conversation: this.#channel ?? '',
        limit: PAGE,
        ...(before !== undefined && { before }),
      };
      const { messages, more } = await socket.ask('open', asked);
      missed.unshift(...messages);
      before = messages[0]?.eventId;
      if (!more || before === undefined || messages.some(({ eventId }) => this.#known.has(eventId))) break;
    }
    // What was told while the pages came is in both.
    for (const message of missed) if (!this.#known.has(message.eventId)) this.#take(message);
  }

  #hear({ method, params: { position, message } = {} }: Frame): void {
    if (position !== undefined) {
      if (Number(position) < Number(this.#position ?? 0))
        this.problems.push(`the tab was told ${position} after ${this.#position}`);
      this.#position = position;
    }
    if (method !== 'message' || message === undefined || message.conversation !== this.#channel) return;
    if (this.#known.has(message.eventId)) this.problems.push(`the tab was told ${message.eventId} again`);
    else this.#take(message);
  }

  #take(message: WebMessage): void {
    this.#known.add(message.eventId);
    this.messages.push(message);
  }
}

class TabSocket {
  readonly closed: Promise<void>;
  readonly #socket: WebSocket;
  readonly #waiting = new Map<string, (frame: Frame) => void>();
  #ids = 0;

  private constructor(socket: WebSocket, hear: (frame: Frame) => void) {
    this.#socket = socket;
    this.closed = new Promise((resolve) => socket.addEventListener('close', () => resolve()));
    socket.addEventListener('message', ({ data }) => {
      const frame = JSON.parse(String(data)) as Frame;
      if (frame.method !== undefined) hear(frame);
      else this.#waiting.get(String(frame.id))?.(frame);
    });
  }

  static async open(url: string, hear: (frame: Frame) => void): Promise<TabSocket> {
    const socket = new WebSocket(url);
    const tab = new TabSocket(socket, hear);
    socket.addEventListener('error', () => socket.close());
    const opened = new Promise<true>((resolve) => socket.addEventListener('open', () => resolve(true)));
    if ((await Promise.race([opened, tab.closed, rest(PATIENCE_MS)])) !== true) {
      tab.close();
      throw new Error('no connection');
    }
    return tab;
  }

  /** A connection that does not answer is given up. */
  async ask<M extends Method>(method: M, params: WebChatParams<M>): Promise<WebChatResult<M>> {
    const id = String(++this.#ids);
    const answered = new Promise<Frame>((resolve) => this.#waiting.set(id, resolve));
    this.#socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    const frame = await Promise.race([answered, this.closed, rest(PATIENCE_MS)]);
    if (frame === undefined) {
      this.close();
      throw new Error('no answer');
    }
    if (frame.error !== undefined) throw new Error(frame.error.message);
    return frame.result as WebChatResult<M>;
  }

  close(): void {
    this.#socket.close();
  }
}

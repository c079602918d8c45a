// A tab as a browser has it: one WebSocket, requests with answers, everything it is told in order. Answers and
// notifications are read by the protocol's own schemas, so that whatever does not fit them fails the test.
import { onTestFinished } from 'vitest';
import {
  WEB_CHAT_METHODS,
  WEB_CHAT_NOTIFICATIONS,
  type WebChatMethod,
  type WebChatNews,
  type WebChatNotification,
  type WebChatParams,
  type WebChatResult,
  type WebMessage,
} from '../../../src/protocol/web-chat.ts';

export interface RpcFailure {
  code: number;
  message: string;
  data: { name: string; retryAfterMs?: number };
}
export class Refusal extends Error {
  readonly error: RpcFailure;
  constructor(error: RpcFailure) {
    super(error.message);
    this.error = error;
  }
}

type Told = { [N in WebChatNotification]: { method: N; params: WebChatNews<N> } }[WebChatNotification];
interface Frame {
  id?: string | null;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: RpcFailure;
}

let keys = 0;
export const newKey = (): string => `key-${process.pid}-${++keys}`;

export class Tab {
  readonly told: Told[] = [];
  readonly closed: Promise<number>;
  readonly socket: WebSocket;
  /** The newest position it was told. */
  position = '0';
  readonly #waiting = new Map<string, (frame: Frame) => void>();
  readonly #looking = new Set<() => void>();
  #ids = 0;

  constructor(socket: WebSocket) {
    this.socket = socket;
    socket.addEventListener('message', ({ data }) => this.#received(JSON.parse(String(data)) as Frame));
    this.closed = new Promise((resolve) => socket.addEventListener('close', ({ code }) => resolve(code)));
  }

  async ask<M extends WebChatMethod>(method: M, params: WebChatParams<M>): Promise<WebChatResult<M>> {
    const id = String(++this.#ids);
    const answered = new Promise<Frame>((resolve) => this.#waiting.set(id, resolve));
    this.socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    const frame = await Promise.race([answered, this.closed.then(() => undefined)]);
    if (frame === undefined) throw new Error('the connection was closed without an answer');
    if (frame.error !== undefined) throw new Refusal(frame.error);
    return WEB_CHAT_METHODS[method].result.parse(frame.result) as WebChatResult<M>;
  }

  async say(
    conversation: string,
    text: string,
    more: { replyTo?: string; key?: string } = {},
  ): Promise<WebMessage> {
    return (await this.ask('post', { key: newKey(), conversation, text, ...more })).message;
  }

  /** Resolves with the first notification, told already or to come, that fits. */
  until<N extends WebChatNotification>(
    method: N,
    fits: (params: WebChatNews<N>) => boolean = () => true,
  ): Promise<WebChatNews<N>> {
    return new Promise((resolve) => {
      const look = (): void => {
        const found = this.told.find((one) => one.method === method && fits(one.params as WebChatNews<N>));
        if (found === undefined) return;
        this.#looking.delete(look);
        resolve(found.params as WebChatNews<N>);
      };
      this.#looking.add(look);
      look();
    });
  }

  /** The messages it was told, in order. */
  texts(): string[] {
    return this.told.flatMap((one) => (one.method === 'message' ? [one.params.message.text] : []));
  }

  async close(): Promise<void> {
    this.socket.close();
    await this.closed;
  }

  #received(frame: Frame): void {
    if (frame.method === undefined) {
      const { id = null } = frame;
      this.#waiting.get(String(id))?.(frame);
      this.#waiting.delete(String(id));
      return;
    }
    const method = frame.method as WebChatNotification;
    const params = WEB_CHAT_NOTIFICATIONS[method].parse(frame.params);
    if ('position' in params) {
      if (Number(params.position) < Number(this.position)) throw new Error('told out of order');
      this.position = params.position;
    }
    this.told.push({ method, params } as Told);
    for (const look of this.#looking) look();
  }
}

export async function openTab(url: string): Promise<Tab> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/web`);
  const tab = new Tab(socket);
  onTestFinished(() => socket.close());
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve());
    socket.addEventListener('error', () => reject(new Error('no tab')));
  });
  return tab;
}

export interface SignedIn {
  tab: Tab;
  hello: WebChatResult<'hello'>;
}

export async function signIn(url: string, token: string, resumeFrom?: string): Promise<SignedIn> {
  const tab = await openTab(url);
  const hello = await tab.ask('hello', { token, ...(resumeFrom === undefined ? {} : { resumeFrom }) });
  // What follows the answer may have been heard before this goes on.
  const from = hello.resumed && resumeFrom !== undefined ? resumeFrom : hello.position;
  if (Number(tab.position) < Number(from)) tab.position = from;
  return { tab, hello };
}

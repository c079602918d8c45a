// One connection to the host's web chat: requests with their answers, and news. It is not reopened; stay.ts makes a new
// one.
import type { WebChatMethod, WebChatParams, WebChatResult } from '../../../protocol/web-chat.ts';
import type { ChatNews } from '../state/state.ts';
import { Lost, chatRefusal } from './refusal.ts';

export interface ChatSocket {
  /** Rejects with a ChatRefusal when the host refuses, with Lost when the connection ends first. */
  call<M extends WebChatMethod>(method: M, params: WebChatParams<M>): Promise<WebChatResult<M>>;
  close: () => void;
  readonly closed: Promise<void>;
}

/** Without an answer in this time, the connection counts as dead. */
const ANSWER_MS = 15_000;
const CONNECT_MS = 10_000;

interface Waiting {
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
  timer: ReturnType<typeof setTimeout>;
}

export async function openSocket(url: string, hear: (news: ChatNews) => void): Promise<ChatSocket> {
  const socket = new WebSocket(url);
  const waiting = new Map<number, Waiting>();
  const { promise: closed, resolve: ended } = Promise.withResolvers<void>();
  let lastId = 0;

  const end = (): void => {
    for (const { reject, timer } of waiting.values()) {
      clearTimeout(timer);
      reject(new Lost());
    }
    waiting.clear();
    ended();
  };
  socket.addEventListener('close', end);
  socket.addEventListener('message', ({ data }) => {
    const frame = JSON.parse(String(data)) as Frame;
    if (frame.method !== undefined) return hear({ name: frame.method, news: frame.params } as ChatNews);
    const asked = waiting.get(Number(frame.id));
    if (asked === undefined) return;
    waiting.delete(Number(frame.id));
    clearTimeout(asked.timer);
    if (frame.error === undefined) asked.resolve(frame.result);
    else asked.reject(chatRefusal(frame.error));
  });
  const close = (): void => {
    socket.close();
    // A dead network never reports the close, so we do not wait for it.
    end();
  };
  await opened(socket, close);
  return {
    closed,
    close,
    call<M extends WebChatMethod>(method: M, params: WebChatParams<M>) {
      return new Promise<WebChatResult<M>>((resolve, reject) => {
        if (socket.readyState !== WebSocket.OPEN) return reject(new Lost());
        const id = ++lastId;
        const timer = setTimeout(close, ANSWER_MS);
        waiting.set(id, { resolve: (result) => resolve(result as WebChatResult<M>), reject, timer });
        socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
      });
    },
  };
}

interface Frame {
  id?: number | string | null;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: { code: number; message: string; data?: unknown };
}

function opened(socket: WebSocket, close: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      close();
      reject(new Lost());
    }, CONNECT_MS);
    socket.addEventListener('open', () => {
      clearTimeout(timer);
      resolve();
    });
    socket.addEventListener('close', () => {
      clearTimeout(timer);
      reject(new Lost());
    });
  });
}

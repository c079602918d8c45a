// Board, the small chat platform of docs/writing-a-surface.md: a numbered feed over HTTP, behind the fault proxy. It shows
// whatever is posted, the same key too if it comes twice, so it can judge what people see.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type FaultProxy, faultProxy } from '../fault-proxy.ts';

export const TOKEN = 'board-token-of-the-tests';
/** Our login there. */
const BOT = { id: 'bot', name: 'earshot', isBot: true };

export interface Entry {
  number: number;
  at: number;
  room: string;
  by: { id: string; name: string; isBot: boolean };
  as?: string;
  text?: string;
  emoji?: string;
  to?: number;
  key?: string;
}

export interface Board {
  url: string;
  proxy: FaultProxy;
  entries: Entry[];
  /** Tokens that are taken. */
  tokens: Set<string>;
  /** A person writes; answers with the number. */
  say(person: string, text: string): number;
}

export async function board(onEnd: (end: () => Promise<void>) => void, now: () => number): Promise<Board> {
  const waiting = new Set<() => void>();
  const entries: Entry[] = [];
  const tokens = new Set([TOKEN]);
  const add = (entry: Omit<Entry, 'number' | 'at'>): number => {
    const number = entries.length + 1;
    entries.push({ number, at: now(), ...entry });
    for (const wake of waiting) wake();
    return number;
  };
  const server = createServer((request, response) => {
    if (!tokens.has(request.headers.authorization?.replace('Bearer ', '') ?? ''))
      response.writeHead(401).end();
    else void answer({ request, response, entries, add, waiting });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy = await faultProxy(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  proxy.isWaiting = (path) => path.startsWith('/feed');
  onEnd(async () => {
    await proxy.close();
    server.closeAllConnections();
    server.close();
  });
  const say = (person: string, text: string): number =>
    add({ room: 'dev', by: { id: person, name: person, isBot: false }, text });
  return { url: proxy.url, proxy, entries, tokens, say };
}

interface Asked {
  request: IncomingMessage;
  response: ServerResponse;
  entries: Entry[];
  add: (entry: Omit<Entry, 'number' | 'at'>) => number;
  waiting: Set<() => void>;
}

async function answer({ request, response, entries, add, waiting }: Asked): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://board');
  const reply = (value: unknown): void => void response.end(JSON.stringify(value));
  if (request.method === 'POST') {
    const body = await bodyOf(request);
    reply({ number: add(pathname === '/messages' ? { room: 'dev', by: BOT, ...body } : reaction(body)) });
  } else if (pathname === '/messages') {
    reply({ entries: entries.filter(({ key }) => key === searchParams.get('key')) });
  } else {
    const after = Number(searchParams.get('after'));
    if (entries.length <= after) await news(waiting, response);
    if (!response.destroyed) reply({ entries: entries.slice(after) });
  }
}

function reaction(body: Partial<Entry>): Omit<Entry, 'number' | 'at'> {
  return { room: 'dev', by: BOT, ...body };
}

/** Until there is an entry, or whoever asks is gone. */
function news(waiting: Set<() => void>, response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const wake = (): void => {
      waiting.delete(wake);
      resolve();
    };
    waiting.add(wake);
    response.once('close', wake);
  });
}

async function bodyOf(request: IncomingMessage): Promise<Partial<Entry>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString()) as Partial<Entry>;
}

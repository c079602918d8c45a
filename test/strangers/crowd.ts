// Strangers: bare sockets that say as much as a test wants and no more. All are destroyed at the end of the test.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Stranger {
  socket: Socket;
  /** What came back so far. */
  heard: () => string;
  /** Resolves when the host has cut it, with what came back until then. */
  cut: Promise<string>;
  isCut: () => boolean;
}

export async function stranger(url: string, says = ''): Promise<Stranger> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: false });
  onTestFinished(() => void socket.destroy());
  let heard = '';
  let over = false;
  socket.setEncoding('utf8').on('data', (text: string) => (heard += text));
  socket.on('error', () => {});
  const cut = new Promise<string>((resolve) => {
    socket.on('close', () => {
      over = true;
      resolve(heard);
    });
  });
  await once(socket, 'connect');
  if (says !== '') socket.write(says);
  return { socket, heard: () => heard, cut, isCut: () => over };
}

export function crowd(url: string, count: number, says = ''): Promise<Stranger[]> {
  return Promise.all(Array.from({ length: count }, () => stranger(url, says)));
}

/** A request head, ended or not. */
export function head(first: string, more: Record<string, string> = {}): string {
  const lines = Object.entries({ host: 'localhost', ...more }).map(([name, value]) => `${name}: ${value}`);
  return `${[first, ...lines].join('\r\n')}\r\n`;
}

export function upgradeTo(path: string, more: Record<string, string> = {}): string {
  return `${head(`GET ${path} HTTP/1.1`, {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    ...more,
  })}\r\n`;
}

// The chat platform, in the parent: it shows every message it is given, drops no repeats, and can be asked by key what it
// has shown. What it shows is what people would have seen, so it is the judge of "no second visible message".
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import type { OutboundMessage } from '../../src/surfaces/surface.ts';

export class Platform {
  readonly shown: OutboundMessage[] = [];
  /** Asked by key: how often the message had been shown, how often not. */
  readonly found = { shown: 0, absent: 0 };
  /** Called when a message is visible and its sender has not been told. False: the answer is never given. */
  onShown: (message: OutboundMessage) => boolean = () => true;
  readonly #server: Server = createServer((request, response) => {
    this.#answer(request, response).catch(() => response.destroy());
  });

  async start(): Promise<string> {
    await new Promise<void>((resolve) => {
      this.#server.listen(0, '127.0.0.1', resolve);
    });
    const { port } = this.#server.address() as { port: number };
    return `http://127.0.0.1:${port}`;
  }

  stop(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
    });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const key = decodeURIComponent((request.url ?? '').replace('/messages/', ''));
    if (request.method === 'GET') {
      const isShown = this.shown.some(({ idempotencyKey }) => idempotencyKey === key);
      this.found[isShown ? 'shown' : 'absent']++;
      response.writeHead(isShown ? 200 : 404).end(`p-${key}`);
      return;
    }
    const message = JSON.parse(await text(request)) as OutboundMessage;
    this.shown.push(message);
    if (this.onShown(message)) response.writeHead(200).end(`p-${key}`);
    else response.destroy();
  }
}

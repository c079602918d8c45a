// Hints to the other nodes by NOTIFY, after the commit and outside of every transaction: inside one it takes a lock on the
// whole server until the commit. The first hint goes at once; those that come while it is under way go together.
import type { Hint } from '../nodes.ts';
import type { Connections, Statement } from './connections.ts';

const NOTIFY: Statement = { name: 'notify', text: 'SELECT pg_notify($1, $2)' };
/** PostgreSQL takes 8,000 bytes in one notification. */
const PAYLOAD_CHARS = 7_000;
/** More hints than these wait for nobody: the others find out by themselves. */
const WAITING_MAX = 1_000;

export class Hints {
  readonly #connections: Connections;
  readonly #node: string;
  #waiting = new Set<string>();
  #sending = false;

  constructor(connections: Connections, node: string, heard: (hint: Hint) => void) {
    this.#connections = connections;
    this.#node = node;
    connections.hear((text) => {
      for (const hint of this.#read(text)) heard(hint);
    });
  }

  send(hint: Hint): void {
    if (this.#waiting.size >= WAITING_MAX) return;
    this.#waiting.add(JSON.stringify(hint));
    if (!this.#sending) void this.#sendAll();
  }

  async #sendAll(): Promise<void> {
    this.#sending = true;
    try {
      while (this.#waiting.size > 0) {
        const text = `${this.#node}\n${this.#next().join('\n')}`;
        await this.#connections.signal(NOTIFY, [this.#connections.channel, text]);
      }
    } catch {
      // The others look by themselves.
      this.#waiting.clear();
    } finally {
      this.#sending = false;
    }
  }

  #next(): string[] {
    const taken: string[] = [];
    let chars = 0;
    for (const text of this.#waiting) {
      if (taken.length > 0 && chars + text.length > PAYLOAD_CHARS) break;
      this.#waiting.delete(text);
      if (Buffer.byteLength(text) > PAYLOAD_CHARS) continue;
      chars += Buffer.byteLength(text) + 1;
      taken.push(text);
    }
    return taken;
  }

  #read(payload: string): Hint[] {
    const [from, ...lines] = payload.split('\n');
    if (from === this.#node) return [];
    try {
      return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Hint);
    } catch {
      // A node of a newer Earshot may say what this one does not understand.
      return [];
    }
  }
}

// Follows /v1/stream as docs/http.md says: the stream tells what is logged from its first bytes on, and /v1/log has what
// was logged before. A stream that ends is opened again, at whatever node answers.
import { setTimeout as rest } from 'node:timers/promises';
import type { LogEntry } from '../../../src/protocol/operator-api.ts';
import type { Caller } from './calls.ts';
import { Tail } from './tail.ts';

export class StreamFollower {
  readonly seen: string[] = [];
  readonly problems: string[] = [];
  /** How often a stream was opened. */
  opened = 0;
  readonly #url: string;
  readonly #token: string;
  readonly #log: Tail;
  readonly #over = new AbortController();
  #position = 0;

  constructor(url: string, token: string, caller: Caller) {
    this.#url = url;
    this.#token = token;
    this.#log = new Tail(caller);
  }

  async follow(): Promise<void> {
    while (!this.#over.signal.aborted) {
      try {
        await this.#stream();
      } catch {
        // It is opened again.
      }
      await rest(100);
    }
  }

  /** Reads what came since the last stream. */
  async end(): Promise<void> {
    this.#over.abort();
    await this.#catchUp();
  }

  async #stream(): Promise<void> {
    const response = await fetch(`${this.#url}/v1/stream`, {
      headers: { authorization: `Bearer ${this.#token}` },
      signal: this.#over.signal,
    });
    if (!response.ok || response.body === null) return;
    let text = '';
    let last = 0;
    let isReady = false;
    for await (const bytes of response.body.pipeThrough(new TextDecoderStream())) {
      text += bytes;
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        if (block.startsWith(': earshot')) {
          this.opened++;
          await this.#catchUp();
          isReady = true;
        }
        if (!block.startsWith('event: logged\n')) continue;
        const row = JSON.parse(block.slice(block.indexOf('data: ') + 6)) as LogEntry;
        const position = row.position ?? 0;
        if (position <= last) this.problems.push(`the stream told ${row.eventId} again, or too late`);
        last = position;
        if (!isReady) this.problems.push(`the stream told ${row.eventId} before it had begun`);
        else if (position > this.#position) this.#take(row);
      }
    }
  }

  async #catchUp(): Promise<void> {
    while (await this.#log.look());
    for (const row of this.#log.rows.splice(0)) if ((row.position ?? 0) > this.#position) this.#take(row);
  }

  #take(row: LogEntry): void {
    this.#position = row.position ?? 0;
    this.seen.push(row.eventId);
  }
}

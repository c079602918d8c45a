// Follows the log over HTTP from page to page, through whatever node answers.
import { setTimeout as rest } from 'node:timers/promises';
import type { LogEntry } from '../../../src/protocol/operator-api.ts';
import type { Caller } from './calls.ts';

export class Tail {
  readonly rows: LogEntry[] = [];
  readonly #caller: Caller;
  #cursor = '0';
  #isOver = false;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  async follow(): Promise<void> {
    while (!this.#isOver) {
      await this.look();
      await rest(50);
    }
  }

  /** Reads one page. False: it was read, and nothing is new. */
  async look(): Promise<boolean> {
    const answer = await this.#caller.call('GET', `/v1/log?limit=200&after=${this.#cursor}`);
    if (answer?.ok !== true) return true;
    const page = answer.body as { log: LogEntry[]; tailCursor?: string };
    this.rows.push(...page.log);
    this.#cursor = page.tailCursor ?? this.#cursor;
    return page.log.length > 0;
  }

  end(): void {
    this.#isOver = true;
  }
}

// Watches what agents do with messages, for the tabs. A delivery can change without a log record (accepted, put off).
// So whenever a timer is due, messages with open deliveries are read again, and tabs are told of those that changed.
import type { WebMessage, WebState } from '../../protocol/web-chat.ts';
import type { Cancel, Clock } from '../../runtime/clock.ts';
import type { StoreReader } from '../kernel/context.ts';
import type { Messages, Progress } from './messages.ts';
import type { LogRow } from '../../store/tables.ts';
import { isWebKey } from './places.ts';

export interface WatchDeps {
  store: StoreReader;
  clock: Clock;
  messages: Pick<Messages, 'progress'>;
  tell: (row: LogRow, progress: Progress) => void;
  /** Called when there is something to read. */
  soon: () => void;
}

/** Messages watched at once. With more, the one told longest ago is no longer read when timers are due. */
const WATCHED = 256;
/** A busy host always has due timers. Messages are read again at most this often. */
const EVERY_MS = 200;

function isOpen({ states, why, question }: Progress): boolean {
  if (question !== undefined && question.outcome === undefined) return true;
  return why?.kind === 'waiting' || states.some(({ state }) => !ENDED.has(state));
}

const ENDED: ReadonlySet<WebState['state']> = new Set(['answered', 'acknowledged', 'not_answered', 'failed']);

export class Watch {
  readonly #deps: WatchDeps;
  /** Events whose deliveries may have changed. */
  readonly #sources = new Set<string>();
  /** The states told last, by message. */
  readonly #told = new Map<string, string>();
  #lookedAt = Number.NEGATIVE_INFINITY;
  #cancelLook: Cancel | undefined;

  constructor(deps: WatchDeps) {
    this.#deps = deps;
  }

  get waiting(): boolean {
    return this.#sources.size > 0;
  }

  changed(sources: readonly string[]): void {
    for (const source of sources) this.#sources.add(source);
    this.#deps.soon();
  }

  /** A tab has these messages as they are now. What is open is watched, so that it hears of the rest. */
  loaded(messages: readonly WebMessage[]): void {
    for (const message of messages) {
      if (isOpen(message) && !this.#told.has(message.eventId)) this.#keep(message.eventId, '', true);
    }
  }

  due(): void {
    if (this.#told.size === 0 || this.#cancelLook !== undefined) return;
    const { clock } = this.#deps;
    const wait = this.#lookedAt + EVERY_MS - clock.now();
    if (wait <= 0) return this.#lookAgain();
    this.#cancelLook = clock.after(wait, () => {
      this.#cancelLook = undefined;
      this.#lookAgain();
    });
  }

  /** Called when no tab is left. */
  forget(): void {
    this.#cancelLook?.();
    this.#cancelLook = undefined;
    this.#told.clear();
    this.#sources.clear();
  }

  async flush(): Promise<void> {
    const sources = [...this.#sources];
    this.#sources.clear();
    for (const source of sources) await this.#look(source);
  }

  #lookAgain(): void {
    this.#lookedAt = this.#deps.clock.now();
    this.changed([...this.#told.keys()]);
  }

  async #look(source: string): Promise<void> {
    const { store, messages, tell } = this.#deps;
    const found = await store.get('log', source);
    if (found === undefined || !isWebKey(found.conversation)) return;
    const { event } = found.record;
    const row = event.type === 'edit' ? await store.get('log', event.targetEventId) : found;
    if (row === undefined) return;
    const progress = await messages.progress(row);
    const { states, why, question } = progress;
    const text = JSON.stringify([states, why, question]);
    if (this.#told.get(row.key) !== text) tell(row, progress);
    this.#keep(row.key, text, isOpen(progress));
  }

  #keep(eventId: string, text: string, open: boolean): void {
    this.#told.delete(eventId);
    if (open) this.#told.set(eventId, text);
    if (this.#told.size > WATCHED) this.#told.delete(this.#told.keys().next().value ?? '');
  }
}

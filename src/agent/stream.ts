// An answer that people see while it is written. Pieces are collected and told to the host at most thirty times a second,
// one frame at a time: each answer of the host says how much it has, so a frame that was lost or not taken comes with the
// next. Telling is best effort. Nothing depends on it but what people see: the message is sent at the end, whole and once.
import { sameStart } from '../protocol/same-start.ts';
import { GROWING_LIMITS } from '../protocol/growing-limits.ts';
import type { Cancel } from '../runtime/clock.ts';
import type { AgentDeps } from './agent-deps.ts';
import { integer, record } from './read-event.ts';
import type { Run } from './run.ts';
import type { ToolOutcome } from './tools.ts';

/** An answer that is being written. */
export interface AnswerStream {
  /** Everything that was written so far. */
  readonly text: string;
  /** Adds a piece. */
  write(piece: string): void;
  /** Replaces what was written. Without a text it is taken back. */
  replace(text?: string): void;
  /** Sends the whole as one message. The turn's `reply` does the same, and so does a string that the handler returns. */
  end(): Promise<ToolOutcome>;
}

/** What says where the answer goes: the fields that its message will have. */
export type StreamPlace = Readonly<Record<string, unknown>>;

export interface StreamDeps {
  shared: AgentDeps;
  run: Run;
  /** Undefined when there is nothing to answer any more. */
  place: () => StreamPlace | undefined;
  send: (text: string) => Promise<ToolOutcome>;
}

const FRAME_MS = Math.ceil(1_000 / GROWING_LIMITS.framesPerSecond);
/** After a frame without an answer, or one that the host did not take. */
const AGAIN_MS = 250;
/** While nothing new is written, the host is asked so often whether it still has everything. It may have forgotten. */
const ASK_MS = 2_000;

export class TurnStream implements AnswerStream {
  readonly #deps: StreamDeps;
  #place: StreamPlace | undefined;
  #text = '';
  /** How much of the text the host has, and whether it has more than that. */
  #has = 0;
  #hasMore = false;
  #over: boolean;
  #underWay: Promise<void> | undefined;
  #sentAt = Number.NEGATIVE_INFINITY;
  #next: Cancel | undefined;

  constructor(deps: StreamDeps) {
    this.#deps = deps;
    this.#place = deps.place();
    this.#over = !deps.run.streams || this.#place === undefined;
  }

  get text(): string {
    return this.#text;
  }

  write(piece: string): void {
    if (piece === '') return;
    this.#text += piece;
    this.#tell();
  }

  replace(text = ''): void {
    const same = sameStart(this.#text, text);
    this.#text = text;
    if (same < this.#has) {
      this.#has = same;
      this.#hasMore = true;
    }
    this.#tell();
  }

  end(): Promise<ToolOutcome> {
    this.stop();
    return this.#deps.send(this.#text);
  }

  /** The answer is another text than what was written. People see that before its message takes the place. */
  async become(text: string): Promise<void> {
    if (text.trim().startsWith(this.#text.trim())) return;
    this.replace(text);
    await this.#underWay;
    if (this.#over || this.#deps.run.aborted) return;
    this.#next?.();
    await this.#frame();
  }

  /** Tells nothing more. */
  stop(): void {
    this.#over = true;
    this.#next?.();
  }

  /** Resolves when no frame is under way. A message that is sent then comes after all of them. */
  async quiet(): Promise<void> {
    await this.#underWay;
  }

  #tell(afterMs = 0): void {
    const { clock } = this.#deps.shared;
    const told = this.#has === this.#text.length && !this.#hasMore;
    if (this.#isQuiet || (told && this.#text === '')) return;
    const waitMs = told ? ASK_MS : Math.max(afterMs, this.#sentAt + FRAME_MS - clock.now());
    this.#next?.();
    this.#next = undefined;
    if (waitMs > 0) this.#next = clock.after(waitMs, () => this.#send());
    else this.#send();
  }

  get #isQuiet(): boolean {
    const { run } = this.#deps;
    return this.#over || this.#underWay !== undefined || run.aborted || run.over;
  }

  #send(): void {
    if (this.#isQuiet) return;
    this.#sentAt = this.#deps.shared.clock.now();
    this.#underWay = this.#frame().then((afterMs) => {
      this.#underWay = undefined;
      this.#tell(afterMs);
    });
  }

  /** What the turn answers may change: something urgent came in. Then the answer grows there, and no longer here. */
  async #moved(): Promise<boolean> {
    const place = this.#deps.place();
    if (place === undefined || place['turnId'] === this.#place?.['turnId']) return false;
    const before = this.#place;
    this.#place = place;
    this.#has = 0;
    this.#hasMore = false;
    await this.#ask({ ...before, from: 0, text: '' });
    return true;
  }

  #ask(frame: object): Promise<unknown> {
    const { shared, run } = this.#deps;
    return shared.session.once('turn/growing', frame, run.signal);
  }

  /** Tells one frame. Resolves with how long to wait before the next. Never rejects. */
  async #frame(): Promise<number> {
    if (await this.#moved()) return 0;
    const from = this.#has;
    const text = this.#text.slice(from, from + GROWING_LIMITS.frameChars);
    const before = this.#text;
    const answer = await this.#ask({ ...this.#place, from, text });
    if (answer === undefined) {
      // The connection was lost. The host has forgotten what it had.
      this.#has = 0;
      return AGAIN_MS;
    }
    const { length, more } = record(answer);
    if (more !== true) {
      this.#over = true;
      return 0;
    }
    // Meanwhile the text may have been replaced.
    const has = Math.min(integer(length) ?? 0, sameStart(before, this.#text));
    this.#hasMore = (integer(length) ?? 0) > has;
    this.#has = has;
    return has === from && text !== '' ? AGAIN_MS : 0;
  }
}

/** Pieces of a text, however they come. */
export type Pieces = string | Iterable<string> | AsyncIterable<string>;

/** Writes all pieces, until the turn is cancelled. */
export async function pour(pieces: Pieces, into: AnswerStream, signal: AbortSignal): Promise<void> {
  if (typeof pieces === 'string') return into.write(pieces);
  for await (const piece of pieces) {
    signal.throwIfAborted();
    into.write(piece);
  }
}

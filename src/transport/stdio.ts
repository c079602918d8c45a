// NDJSON over a pair of Node streams as a Transport: each frame is one line. Standard output carries frames only; logs
// go to standard error. Streams have no close codes: an end between two lines is `normal`, anything else is `lost`.
import { isUtf8 } from 'node:buffer';
import type { Readable, Writable } from 'node:stream';
import type { Cancel, Clock } from '../runtime/clock.ts';
import {
  FrameTransport,
  type CloseReason,
  FrameTooLarge,
  TRANSPORT_LIMITS,
  type Transport,
} from './transport.ts';

export interface StdioOptions {
  input: Readable;
  output: Writable;
  clock: Clock;
  /** A longer line closes the connection with `too_large`. */
  maxLineBytes?: number;
  closeMs?: number;
}

export function stdioTransport(options: StdioOptions): Transport {
  return new StdioTransport(options);
}

const NEWLINE = 0x0a;
const RETURN = 0x0d;

class StdioTransport extends FrameTransport {
  readonly #options: StdioOptions;
  readonly #lineBytes: number;
  /** The pieces of an unfinished line. */
  #pieces: Buffer[] = [];
  #piecesBytes = 0;
  #corked = false;
  #cancelTimer: Cancel | undefined;

  constructor(options: StdioOptions) {
    const lineBytes = options.maxLineBytes ?? TRANSPORT_LIMITS.frameBytes;
    super(lineBytes);
    this.#options = options;
    this.#lineBytes = lineBytes;
    const { input, output } = options;
    input.on('error', (error: Error) => this.#broken(error));
    output.on('error', (error: Error) => this.#broken(error));
    output.on('close', () => this.#end('lost'));
  }

  get buffered(): number {
    return this.#options.output.writableLength;
  }

  protected open(): Promise<void> {
    const { input } = this.#options;
    this.opened();
    input.on('data', (chunk: Buffer | string) =>
      this.#chunk(typeof chunk === 'string' ? Buffer.from(chunk) : chunk),
    );
    input.on('end', () => this.#inputEnded());
    input.on('close', () => this.#end('lost'));
    if (input.destroyed || input.readableEnded) this.#end('lost');
    return Promise.resolve();
  }

  /** A line break in JSON text is always white space between tokens, so it may become a space. */
  protected write(frame: string): void {
    const { output } = this.#options;
    if (!this.#corked) {
      this.#corked = true;
      output.cork();
      queueMicrotask(() => {
        this.#corked = false;
        output.uncork();
      });
    }
    output.write(`${frame.includes('\n') ? frame.replaceAll('\n', ' ') : frame}\n`);
  }

  protected shut(reason: CloseReason): void {
    const { input, output, clock, closeMs = TRANSPORT_LIMITS.closeMs } = this.#options;
    this.#pieces = [];
    if (reason === 'lost') {
      output.destroy();
      input.destroy();
      this.#end(reason);
      return;
    }
    // Paused instead of destroyed: the other side may still be writing, and a paused stdin lets the process exit.
    input.pause();
    this.#cancelTimer = clock.after(closeMs, () => {
      output.destroy();
      this.#end(reason);
    });
    output.end(() => this.#end(reason));
  }

  #chunk(chunk: Buffer): void {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      this.#piece(chunk.subarray(from, at));
      if (!this.isOpen) return;
      this.#line();
      if (!this.isOpen) return;
      from = at + 1;
    }
    if (from < chunk.length) this.#piece(chunk.subarray(from));
  }

  #piece(piece: Buffer): void {
    this.#piecesBytes += piece.length;
    // One byte more than the limit, for the carriage return of a CRLF.
    if (this.#piecesBytes > this.#lineBytes + 1) {
      this.failed(new FrameTooLarge(this.#lineBytes));
      this.close('too_large');
      return;
    }
    this.#pieces.push(piece);
  }

  #line(): void {
    const [first] = this.#pieces;
    let line = this.#pieces.length === 1 && first !== undefined ? first : Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#piecesBytes = 0;
    if (line.at(-1) === RETURN) line = line.subarray(0, -1);
    if (line.length === 0) return;
    if (isUtf8(line)) {
      this.received(line.toString());
      return;
    }
    this.failed(new Error('a line is not valid UTF-8'));
    this.close('protocol_error');
  }

  #inputEnded(): void {
    if (this.#piecesBytes > 0) this.#broken(new Error('the input ended in the middle of a line'));
    else this.#end('normal');
  }

  #broken(error: Error): void {
    if (this.isOpen) this.failed(error);
    this.#end('lost');
  }

  #end(reason: CloseReason): void {
    this.#cancelTimer?.();
    const { output } = this.#options;
    if (!output.writableEnded && !output.destroyed) output.end();
    this.ended(reason);
  }
}

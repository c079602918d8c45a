// What a command may touch of the process: its output, its input, colours and the progress line. Tests hand in
// their own. Output is collected into large writes and waits when the reader is slower.
import { once } from 'node:events';
import { systemClock } from '../runtime/clock.ts';
import {
  columnsOf,
  type Paint,
  type ProgressLine,
  painter,
  progressLine,
  wantsColours,
} from '../runtime/terminal.ts';

export interface Io {
  out(text: string): Promise<void>;
  /** Everything written so far is on its way. */
  flush(): Promise<void>;
  err(text: string): void;
  stdin: AsyncIterable<Uint8Array>;
  paint: Paint;
  columns: number;
  progress: ProgressLine;
}

/** An expected end of a command: what is wrong and what to do, in one line. 1 is wrong input, 2 wrong usage. */
export class CommandError extends Error {
  readonly exitCode: 1 | 2;

  constructor(exitCode: 1 | 2, message: string, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

const WRITE_CHARS = 64 * 1_024;
/** Lines longer than this are hard to read, however wide the window. */
const WIDEST = 160;

export function systemIo(): Io {
  const { stdout, stderr, env } = process;
  // `earshot replay … | head` closes the pipe: that is no error.
  stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
  let waiting = '';
  const flush = async (): Promise<void> => {
    const text = waiting;
    waiting = '';
    if (text !== '' && !stdout.write(text)) await once(stdout, 'drain');
  };
  const progress = progressLine(stderr, systemClock);
  return {
    async out(text) {
      waiting += text;
      if (stdout.isTTY) progress.clear();
      if (stdout.isTTY || waiting.length >= WRITE_CHARS) await flush();
    },
    flush,
    err: (text) => {
      progress.clear();
      stderr.write(text);
    },
    // Opened only by a command that reads it.
    get stdin() {
      return process.stdin;
    },
    paint: painter(wantsColours(stdout, env)),
    columns: Math.min(columnsOf(stdout, 100), WIDEST),
    progress,
  };
}

// The parts of the process that a command may use: output, input, colours and the progress line. Tests pass their own.
// Output is collected into large writes and waits for a slow reader.
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
  /** Resolves when everything written so far has been handed to the system. */
  flush(): Promise<void>;
  err(text: string): void;
  stdin: AsyncIterable<Uint8Array>;
  paint: Paint;
  columns: number;
  /** Somebody reads the output on a terminal. */
  isTerminal?: boolean;
  progress: ProgressLine;
}

/** An expected failure of a command, in one line: what is wrong and what to do. 1 is wrong input, 2 wrong usage. */
export class CommandError extends Error {
  readonly exitCode: 1 | 2;

  constructor(exitCode: 1 | 2, message: string, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

const WRITE_CHARS = 64 * 1_024;
/** Longer lines are hard to read, however wide the window is. */
const WIDEST = 160;

export function systemIo(): Io {
  const { stdout, stderr, env } = process;
  // `earshot replay … | head` closes the pipe. That is not an error.
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
    // Opened only when a command reads it.
    get stdin() {
      return process.stdin;
    },
    paint: painter(wantsColours(stdout, env)),
    columns: Math.min(columnsOf(stdout, 100), WIDEST),
    isTerminal: stdout.isTTY,
    progress,
  };
}

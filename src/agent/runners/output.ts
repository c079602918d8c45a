// Reads what a program writes to its end and keeps it within limits: standard output whole or cut between two
// characters, standard error as lines for the log. Escape sequences and control characters reach neither chat nor log.
import type { Readable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';

export interface Output {
  text: string;
  /** Everything that was written. `leftOutBytes` of it are not in the text. */
  totalBytes: number;
  leftOutBytes: number;
}

/** Reads on past the limit, so that a full pipe does not block the program. */
export function collect(stream: Readable, bytesMax: number): () => Output {
  const chunks: Buffer[] = [];
  let keptBytes = 0;
  let totalBytes = 0;
  stream.on('error', () => undefined); // its end is what counts
  stream.on('data', (chunk: Buffer) => {
    totalBytes += chunk.length;
    const kept = chunk.subarray(0, bytesMax - keptBytes);
    if (kept.length === 0) return;
    chunks.push(kept);
    keptBytes += kept.length;
  });
  return () => {
    const leftOutBytes = totalBytes - keptBytes;
    // In stream mode the decoder drops half a character at the cut instead of replacing it.
    const text = new TextDecoder().decode(Buffer.concat(chunks), { stream: leftOutBytes > 0 });
    return { text: clean(text), totalBytes, leftOutBytes };
  };
}

const TAIL_CHARS = 8_192;

/** The end of what is written, for a program that prints its error over several lines. */
export function collectTail(stream: Readable): () => string {
  const decoder = new TextDecoder();
  let tail = '';
  stream.on('data', (chunk: Buffer) => {
    tail = (tail + decoder.decode(chunk, { stream: true })).slice(-TAIL_CHARS);
  });
  return () => clean(tail);
}

export interface LineBounds {
  lines: number;
  lineChars: number;
}

/**
 * Passes on the first lines, then says once that there are more. The returned function ends it and gives the last line.
 */
export function readLogLines(
  stream: Readable,
  { lines, lineChars }: LineBounds,
  onLine: (line: string) => void,
): () => string {
  const decoder = new TextDecoder();
  let open = '';
  let count = 0;
  let last = '';
  const close = (): void => {
    const line = clean(open).trim();
    open = '';
    if (line === '') return;
    last = line;
    count += 1;
    if (count <= lines) onLine(line);
    else if (count === lines + 1) onLine(`[… after ${lines} lines the rest is left out]`);
  };
  const take = (text: string): void => {
    const [first = '', ...more] = text.split('\n');
    open = (open + first).slice(0, lineChars);
    for (const next of more) {
      close();
      open = next.slice(0, lineChars);
    }
  };
  stream.on('error', () => undefined);
  stream.on('data', (chunk: Buffer) => take(decoder.decode(chunk, { stream: true })));
  return () => {
    take(decoder.decode());
    close();
    return last;
  };
}

export function clean(text: string): string {
  return stripVTControlCharacters(text)
    .replace(/\r\n?/g, '\n')
    .replace(/(?![\n\t])\p{Cc}/gu, '');
}

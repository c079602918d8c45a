// Splits bytes into numbered lines, with one line in memory at a time, so a file may be of any size. Splits at line
// feeds only; node:readline also splits at U+2028, which may stand inside a JSON string.
import { TextDecoder } from 'node:util';

export interface NumberedLine {
  number: number;
  /** Undefined when the line is not text. `problem` says why. */
  text?: string;
  problem?: string;
}

/** Several times the largest event with every character escaped. */
export const LINE_BYTES = 4 * 1_024 * 1_024;
const LINE_FEED = 10;

export async function* numberedLines(
  chunks: AsyncIterable<Uint8Array>,
  onBytes: (count: number) => void = () => {},
): AsyncGenerator<NumberedLine> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let parts: Uint8Array[] = [];
  let size = 0;
  let number = 0;
  const finish = (): NumberedLine => {
    number++;
    const line = size > LINE_BYTES ? tooLong(number) : decoded(decoder, Buffer.concat(parts), number);
    parts = [];
    size = 0;
    return line;
  };
  for await (const chunk of chunks) {
    onBytes(chunk.length);
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, from)) {
      parts.push(chunk.subarray(from, end));
      size += end - from;
      yield finish();
      from = end + 1;
    }
    size += chunk.length - from;
    // A line over the limit is skipped without being kept.
    if (size > LINE_BYTES) parts = [];
    else if (from < chunk.length) parts.push(chunk.subarray(from));
  }
  if (size > 0) yield finish();
}

function tooLong(number: number): NumberedLine {
  return { number, problem: `expected at most ${LINE_BYTES / 1_048_576} MB a line` };
}

function decoded(decoder: TextDecoder, bytes: Uint8Array, number: number): NumberedLine {
  try {
    return { number, text: decoder.decode(bytes) };
  } catch {
    return { number, problem: 'expected UTF-8 text' };
  }
}

// Reads a recorded chat, one ChatEvent per line, from a file or standard input, and checks each line with the schema. A
// bad line is reported as a value with its number. A bad file ends the command.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { type ChatEvent, chatEventSchema } from '../protocol/chat-event.ts';
import { complaintsOf, isObject, pathText } from './complaint.ts';
import { CommandError, type Io } from './io.ts';
import { numberedLines } from './lines.ts';

export type EventLine =
  | { type: 'event'; line: number; event: ChatEvent }
  /** `problem` is "field: what was expected". */
  | { type: 'malformed'; line: number; problem: string };

export interface EventSource {
  name: string;
  /** The size in bytes. Undefined for standard input. */
  bytes: number | undefined;
  chunks: AsyncIterable<Uint8Array>;
}

export async function openEvents(path: string, io: Io): Promise<EventSource> {
  if (path === '-') return { name: '(stdin)', bytes: undefined, chunks: textOnly(io.stdin, '(stdin)') };
  try {
    const found = await stat(path);
    if (found.isDirectory()) throw new CommandError(1, `${path} is a directory: name one .jsonl file in it`);
    const chunks = createReadStream(path, { highWaterMark: 256 * 1_024 });
    return { name: path, bytes: found.isFile() ? found.size : undefined, chunks: textOnly(chunks, path) };
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') {
      throw new CommandError(
        1,
        `${path}: no such file; name a file with one ChatEvent a line, or - for standard input`,
      );
    }
    throw new CommandError(1, `${path} cannot be read (${code ?? message})`, { cause: error });
  }
}

export async function* readEvents(
  source: EventSource,
  onBytes?: (count: number) => void,
): AsyncGenerator<EventLine> {
  for await (const { number: line, text, problem } of numberedLines(source.chunks, onBytes)) {
    if (text === undefined) yield { type: 'malformed', line, problem: `line: ${problem ?? 'expected text'}` };
    else if (text.trim() !== '') yield parseEventLine(text, line);
  }
}

export function parseEventLine(text: string, line: number): EventLine {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // V8's own message would quote the text, and chat may contain a pairing code.
    return { type: 'malformed', line, problem: 'line: expected one JSON object, this is not valid JSON' };
  }
  if (!isObject(value) || Array.isArray(value)) {
    return { type: 'malformed', line, problem: 'line: expected one JSON object' };
  }
  const parsed = chatEventSchema.safeParse(value);
  if (parsed.success) return { type: 'event', line, event: parsed.data };
  const [first] = complaintsOf(chatEventSchema, parsed.error, value);
  const problem =
    first === undefined ? 'line: expected a ChatEvent' : `${pathText(first.path, 'line')}: ${first.expected}`;
  return { type: 'malformed', line, problem };
}

/** Recognizes compressed and binary files by their first bytes, instead of complaining about every line. */
async function* textOnly(chunks: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  let first = true;
  try {
    for await (const chunk of chunks) {
      if (first && chunk[0] === 0x1f && chunk[1] === 0x8b) {
        throw new CommandError(1, `${name} is compressed: write  gunzip -c FILE | earshot replay -`);
      }
      if (first && chunk.subarray(0, 4_096).includes(0)) {
        throw new CommandError(1, `${name} is no text file: expected UTF-8 with one JSON object a line`);
      }
      first = false;
      yield chunk;
    }
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(1, `${name}: reading stopped (${(error as Error).message})`, { cause: error });
  }
  if (first) throw new CommandError(1, `${name} is empty: expected one ChatEvent (a JSON object) a line`);
}

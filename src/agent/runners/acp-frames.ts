// Stands between the agent's pipes and the ACP library. Output that is not a message (a banner, a stray print) goes to
// the log. `session/update` is read here by hand, in order, so that an unknown kind of update is not an error.
import type { Readable } from 'node:stream';
import { Writable } from 'node:stream';
import { type AnyMessage, methods, ndJsonStream, type Stream } from '@agentclientprotocol/sdk';
import { record, string } from '../read-event.ts';
import type { Child } from './child.ts';
import { clean } from './output.ts';

type Fields = Readonly<Record<string, unknown>>;

export interface FrameHooks {
  onUpdate(sessionId: string, update: Fields): void;
  /** Called with a line that is not a message. */
  onStray(line: string): void;
}

export interface AcpFrameLimits {
  messageBytes: number;
  logLineChars: number;
}

export function framesOf(child: Child, hooks: FrameHooks, limits: AcpFrameLimits): Stream {
  const bytes = ReadableStream.from(
    messageLines(child.stdout, (line) => hooks.onStray(line), limits.logLineChars),
  );
  const { readable, writable } = ndJsonStream(Writable.toWeb(child.stdin), bytes, {
    maxMessageBytes: limits.messageBytes,
  });
  const sorted = new TransformStream<AnyMessage, AnyMessage>({
    transform(message, controller) {
      const { jsonrpc, method, params } = message as Fields;
      if (jsonrpc !== '2.0') hooks.onStray(JSON.stringify(message).slice(0, limits.logLineChars));
      else if (method !== methods.client.session.update) controller.enqueue(message);
      else hooks.onUpdate(string(record(params)['sessionId']) ?? '', record(record(params)['update']));
    },
  });
  return { readable: readable.pipeThrough(sorted), writable };
}

const [NEWLINE, BRACE] = [0x0a, 0x7b];
const BLANKS: ReadonlySet<number | undefined> = new Set([0x20, 0x09, 0x0d, NEWLINE]);

/** Yields the lines that begin like a message, byte for byte. Of other lines only the beginning is kept. */
async function* messageLines(
  stdout: Readable,
  onStray: (line: string) => void,
  strayChars: number,
): AsyncGenerator<Uint8Array> {
  let line: 'new' | 'message' | 'stray' = 'new';
  let stray = '';
  const close = (): void => {
    if (line === 'stray') onStray(clean(stray).trim());
    line = 'new';
    stray = '';
  };
  for await (const chunk of stdout as AsyncIterable<Buffer>) {
    for (let from = 0; from < chunk.length; ) {
      if (line === 'new' && BLANKS.has(chunk[from])) {
        from += 1;
        continue;
      }
      if (line === 'new') line = chunk[from] === BRACE ? 'message' : 'stray';
      const end = chunk.indexOf(NEWLINE, from);
      const piece = chunk.subarray(from, end < 0 ? chunk.length : end + 1);
      if (line === 'message') yield piece;
      else if (stray.length < strayChars) stray = (stray + piece.toString('utf8')).slice(0, strayChars);
      from += piece.length;
      if (end >= 0) close();
    }
  }
  close();
}

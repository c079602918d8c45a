// An Io that keeps what was written, and files that exist only for a test.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dispatch } from '../../src/cli/dispatch.ts';
import type { Io } from '../../src/cli/io.ts';

export interface Ran {
  code: number;
  out: string;
  err: string;
}

export async function earshot(
  argv: readonly string[],
  stdin = '',
  colours = false,
  more: Partial<Io> = {},
): Promise<Ran> {
  const ran: Ran = { code: -1, out: '', err: '' };
  const io: Io = {
    out: (text) => {
      ran.out += text;
      return Promise.resolve();
    },
    flush: () => Promise.resolve(),
    err: (text) => {
      ran.err += text;
    },
    stdin: once(stdin),
    paint: (colour, text) => (colours ? `<${colour}>${text}</${colour}>` : text),
    columns: 100,
    progress: { show: () => {}, clear: () => {} },
    ...more,
  };
  ran.code = await dispatch(argv, io);
  return ran;
}

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from(text));
}

const folder = mkdtempSync(join(tmpdir(), 'earshot-replay-'));
let files = 0;

export function file(content: string | Uint8Array, suffix = '.jsonl'): string {
  const path = join(folder, `${++files}${suffix}`);
  writeFileSync(path, content);
  return path;
}

export const EXAMPLE = 'examples/standup.jsonl';
export const EXAMPLE_CONFIG = 'examples/earshot.yaml';

/** A message of a small room, with what is given on top. */
export function line(more: Record<string, unknown> = {}): string {
  return JSON.stringify({
    eventId: 'm1',
    at: '2026-06-02T09:00:00Z',
    platform: 'demo',
    workspaceId: 'acme',
    conversation: { id: 'room', kind: 'channel' },
    author: { id: 'U1', kind: 'human', displayName: 'Ada' },
    type: 'message',
    text: 'hello',
    ...more,
  });
}

export function rows(out: string): Record<string, unknown>[] {
  return out
    .trimEnd()
    .split('\n')
    .filter((text) => text !== '')
    .map((text) => JSON.parse(text) as Record<string, unknown>);
}

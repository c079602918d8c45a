// Exports on disk for a test, and what the command makes of them.
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ChatEvent } from '../../src/protocol/chat-event.ts';
import { earshot, type Ran } from '../replay/fake-io.ts';
import { zipOf } from './zip-of.ts';

type Files = Iterable<readonly [path: string, content: unknown]>;

export const newFolder = (): string => mkdtempSync(join(tmpdir(), 'earshot-import-'));

const textOf = (content: unknown): string =>
  typeof content === 'string' ? content : JSON.stringify(content);

export function onDisk(files: Files): string {
  const folder = newFolder();
  for (const [path, content] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), textOf(content));
  }
  return folder;
}

export function zipped(files: Files): string {
  const path = join(newFolder(), 'acme export.zip');
  writeFileSync(path, zipOf([...files].map(([name, content]) => [name, textOf(content)] as const)));
  return path;
}

export interface Imported extends Ran {
  events: ChatEvent[];
  summary: Record<string, unknown>;
}

/** The lines, and the summary as JSON. */
export async function imported(platform: string, path: string, ...flags: string[]): Promise<Imported> {
  const out = join(newFolder(), 'chat.jsonl');
  const ran = await earshot(['import', platform, path, '--out', out, '--json', ...flags]);
  if (ran.code !== 0) throw new Error(ran.err);
  const events = readFileSync(out, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as ChatEvent);
  return { ...ran, events, summary: JSON.parse(ran.out) as Record<string, unknown> };
}

/** How often something is in the account of an import, by name. */
export function accountOf(summary: Record<string, unknown>): Record<string, Record<string, number>> {
  const lines = summary['account'] as { kind: string; names: { name: string; count: number }[] }[];
  return Object.fromEntries(
    lines.map(({ kind, names }) => [kind, Object.fromEntries(names.map(({ name, count }) => [name, count]))]),
  );
}

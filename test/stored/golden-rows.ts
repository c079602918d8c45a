// What the scenes leave in the store, one line for each shape of row: a label, a tab, the stored text. The golden
// files hold the same lines, so a difference is a stored format that changed.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { MemoryImage } from '../../src/store/memory/disk.ts';
import { world } from '../host/world.ts';
import { SCENES } from './scenes.ts';

export interface GoldenFile {
  name: string;
  lines: readonly string[];
}

/** Ids drawn at random: what was drawn is no format, and a call more or less draws others. */
const DRAWN = /\b(out|audit|act|progress|members|file)_[0-9a-z]{20}\b/g;

/** The files of today's code, in order of their names. */
export async function recordGolden(): Promise<GoldenFile[]> {
  const files = new Map<string, Map<string, string>>();
  for (const { name, options, play } of SCENES) {
    const w = await world(options);
    await play(w);
    await w.drain();
    for (const [file, label, text] of entriesOf(name, w.store.crash())) {
      const lines = files.get(file) ?? new Map<string, string>();
      files.set(file, lines);
      if (!lines.has(label)) lines.set(label, masked(text));
    }
  }
  return [...files]
    .map(([name, lines]) => ({ name, lines: [...lines].map(([label, text]) => `${label}\t${text}`) }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function goldenPath(name: string): string {
  return new URL(`golden/${name}.txt`, import.meta.url).pathname;
}

export function readGolden(name: string): string[] {
  const path = goldenPath(name);
  return existsSync(path) ? readFileSync(path, 'utf8').trimEnd().split('\n') : [];
}

export function writeGolden({ name, lines }: GoldenFile): void {
  writeFileSync(goldenPath(name), `${lines.join('\n')}\n`);
}

function masked(text: string): string {
  return text.replaceAll(DRAWN, '$1_(drawn)');
}

type Row = Record<string, unknown>;

function* entriesOf(
  scene: string,
  { tables, states }: MemoryImage,
): Generator<[file: string, label: string, text: string]> {
  for (const [table, rows] of Object.entries(tables)) {
    for (const [, { doc }] of rows) yield [table, labelOf(table, JSON.parse(doc) as Row), doc];
  }
  for (const [key, { text, wakeAt }] of states.toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const one = text.replaceAll('\n', '\\n');
    yield ['state', `${scene}: ${masked(key)}`, wakeAt === null ? one : `${one}\twakes at ${wakeAt}`];
  }
}

/** Rows with the same label have the same shape: the first of them is kept. */
function labelOf(table: string, row: Row): string {
  const words = (...fields: string[]): string =>
    fields.map((field) => (row[field] ?? '-') as string | number).join(' ');
  const isSet = (field: string): string => (row[field] === null ? '' : ` ${field}`);
  const within = (value: unknown): string => `(${Object.keys(value as Row).join(' ')})`;
  switch (table) {
    case 'log': {
      const { kind, facts, event } = row['record'] as { kind: string; facts: Row; event: Row };
      const text = words('type') === 'message' && event['text'] === undefined ? ' scrubbed' : '';
      const secrets = (row['secrets'] as unknown[]).length > 0 ? ' with secrets' : '';
      const who = words('author').split(':')[0] ?? '';
      return `${words('type')} ${kind} by ${who}${text}${secrets} ${within(facts)}`;
    }
    case 'delivery':
      return `${words('state', 'disposition', 'why', 'dueFor', 'policy', 'mode')} ${within(row['detail'])}`;
    case 'outbox':
      return `${words('kind', 'state')} ${words('bodyHash').length > 20 ? 'agent' : words('bodyHash')} ${within(row['body'])}`;
    case 'file':
      return words('contentType');
    case 'inbox':
      return `${words('kind')} open ${words('open')} ${within(row['detail'])}`;
    case 'token':
      return `${words('kind')}${isSet('revokedAt')}`;
    case 'pairing':
      return `${words('role')}${isSet('usedBy')}`;
    case 'audit':
      return `${words('who', 'what')} ${within(row['detail'])}`;
    case 'settings':
      return words('way');
    case 'prompt':
      return row['turnId'] === null ? 'rendered for a pull' : 'told by a harness';
    case 'session':
      return `${words('key')}${isSet('closedAt')}`;
    case 'offer':
      return `open ${words('open')} turn ${words('turn')}`;
    default:
      return words('key');
  }
}

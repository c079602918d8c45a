// The zip reader: every form that exports come in, and every way in which one can be damaged or lie.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openExport } from '../../src/cli/import/files.ts';
import { Unreadable, unzip, zipEntries } from '../../src/cli/import/zip.ts';
import { type ZipOptions, zipOf } from './zip-of.ts';

const folder = mkdtempSync(join(tmpdir(), 'earshot-zip-'));
let made = 0;

function saved(bytes: Uint8Array): string {
  const path = join(folder, `${++made}.zip`);
  writeFileSync(path, bytes);
  return path;
}

async function contents(bytes: Uint8Array, maxBytes?: number): Promise<Record<string, string>> {
  const file = await open(saved(bytes), 'r');
  try {
    const found: Record<string, string> = {};
    for (const entry of await zipEntries(file))
      found[entry.path] = String(await unzip(file, entry, maxBytes));
    return found;
  } finally {
    await file.close();
  }
}

const FILES: [string, string][] = [
  ['users.json', '[]'],
  ['général/2026-10-01.json', JSON.stringify([{ text: 'naïve '.repeat(500) }])],
  ['empty.json', ''],
];

describe('reads', () => {
  it.each<[string, ZipOptions]>([
    ['deflated files', {}],
    ['stored files', { stored: true }],
    ['the 64-bit form', { large: true }],
    ['a comment at the end', { comment: 'made by Slack' }],
    ['the longest comment', { comment: 'x'.repeat(65_535) }],
  ])('%s', async (_, options) => {
    expect(await contents(zipOf(FILES, options))).toEqual(Object.fromEntries(FILES));
  });

  it('an empty zip', async () => {
    expect(await contents(zipOf([]))).toEqual({});
  });
});

describe('refuses', () => {
  it('a zip that is cut off, wherever it is cut', async () => {
    const whole = zipOf(FILES);
    const step = Math.max(1, Math.floor(whole.length / 40));
    for (let length = 0; length < whole.length; length += step) {
      await expect(contents(whole.subarray(0, length)), `cut at ${length}`).rejects.toThrow(Unreadable);
    }
  });

  it('a file with a flipped byte', async () => {
    const whole = zipOf(FILES, { stored: true });
    whole[whole.indexOf('naïve') + 2] = 0x20;
    await expect(contents(whole)).rejects.toThrow('damaged');
  });

  it.each<[string, ZipOptions, number, string]>([
    ['a file that says it is too large', { claimedBytes: 4_000_000_000 }, 1_000_000, 'larger than 1 MB'],
    ['a bomb, which unpacks to more than it says', { claimedBytes: 2 }, 1_000_000, 'more than it says'],
    ['a file that is shorter than it says', { claimedBytes: 900_000 }, 1_000_000, 'damaged'],
    ['a password', { flags: 1 }, 1_000_000, 'password'],
    ['an unusual way of packing', { method: 93 }, 1_000_000, 'unpack it first'],
  ])('%s', async (_, options, maxBytes, said) => {
    const zip = zipOf([['a.json', 'x'.repeat(100_000)]], options);
    await expect(contents(zip, maxBytes)).rejects.toThrow(said);
  });

  it('a directory that points anywhere', async () => {
    const whole = zipOf(FILES);
    whole.writeUInt32LE(0x7fffffff, whole.length - 6);
    await expect(contents(whole)).rejects.toThrow('cut off or no zip');
  });
});

it('never opens a path that points out of the export', async () => {
  const paths = [
    '../users.json',
    '/etc/passwd',
    'C:\\x.json',
    'a/../../b.json',
    'general\\..\\..\\c.json',
    'general/ok.json',
  ];
  const files = await openExport(saved(zipOf(paths.map((path) => [path, '[]'] as const))));
  expect(files.paths).toEqual(['general/ok.json']);
  expect(files.refused).toHaveLength(5);
  await expect(files.read('../users.json')).rejects.toThrow(Unreadable);
  await files.close();
});

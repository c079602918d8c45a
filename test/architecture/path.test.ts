// One mention and its reply stay short: few enough files to read in an afternoon, few enough commits to count.
import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';

/** What one warm mention and its reply may pass through. */
const FILES_MAX = 195;
const COMMITS_MAX = 7;

it('one mention and its reply pass through few files and commits', () => {
  const printed = execFileSync(process.execPath, ['scripts/path-of-a-message.ts'], { encoding: 'utf8' });
  const [, files, commits] = /reply: (\d+) files of src, (\d+) commits/.exec(printed) ?? [];
  expect(Number(files)).toBeGreaterThan(50);
  expect(Number(files)).toBeLessThanOrEqual(FILES_MAX);
  expect(Number(commits)).toBeGreaterThan(3);
  expect(Number(commits)).toBeLessThanOrEqual(COMMITS_MAX);
});

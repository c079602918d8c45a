// `node bench/import.ts`: an export of 20,000 messages becomes lines and a report, by the command as a process. Beside it
// the floor: the same zip unpacked and its JSON parsed, and nothing else. --json prints one object.
import { execFile } from 'node:child_process';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { openExport, readJson } from '../src/cli/import/files.ts';
import { makeSlackExport } from '../test/import/slack-workspace.ts';
import { zipOf } from '../test/import/zip-of.ts';
import { median, withFolder } from './measure.ts';

const MESSAGES = 20_000;
const RUNS = 5;
/** More ends with exit code 1. */
const BUDGET_S = 10;
const CLI = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url));

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1_000;
}

async function floor(path: string): Promise<void> {
  const files = await openExport(path);
  for (const one of files.paths) await readJson(files, one);
  await files.close();
}

await withFolder(async (folder) => {
  const path = join(folder, 'export.zip');
  writeFileSync(path, zipOf(makeSlackExport(1, MESSAGES).files));
  const argv = [
    CLI,
    'import',
    'slack',
    path,
    '--report',
    join(folder, 'r.html'),
    '--out',
    join(folder, 'c.jsonl'),
  ];
  const times: number[] = [];
  const floors: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    floors.push(await seconds(() => floor(path)));
    times.push(await seconds(() => promisify(execFile)(process.execPath, argv, { cwd: folder })));
  }
  const [took, least] = [median(times), median(floors)];
  if (took > BUDGET_S) process.exitCode = 1;
  const row = {
    kind: 'import',
    messages: MESSAGES,
    zipBytes: statSync(path).size,
    seconds: took,
    floorSeconds: least,
  };
  if (process.argv.includes('--json')) console.log(JSON.stringify(row));
  else
    console.log(
      `${MESSAGES} messages: ${took.toFixed(2)} s (budget ${BUDGET_S} s), ${(took / least).toFixed(1)} times the floor of ${least.toFixed(2)} s (unpacking and parsing alone)`,
    );
});

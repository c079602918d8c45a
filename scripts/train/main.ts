// `node scripts/train/main.ts FILE… --out FILE [--version N] [--seed N] [--report FILE]`: learns the scorer's parameters
// from labelled chat (docs/scoring.md) and writes the parameter file and a report. The same files and seed give the same
// parameters. A fifth of the rooms is kept aside for the report; the parameters that are written have seen all rooms. The
// report also says how good it is on each domain when it is learned from the others; `--leave-out` says only that.
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { SCORER_VERSION } from '../../src/attention/index.ts';
import { type AddresseeRow, type LabelledRoom, roomsOf } from '../labelled-rooms.ts';
import { thinned } from '../thinned-rooms.ts';
import { type Copy, learned } from './learn.ts';
import { fileOf } from './parameter-file.ts';
import { groupsOf, isValidation, leaveOutTable, reportOf } from './report.ts';
import { rowsOf } from './rows.ts';

const USAGE =
  'usage: node scripts/train/main.ts FILE… (--out FILE [--version N] [--report FILE] | --leave-out) [--seed N]';

/** Quieter copies of the rooms, and how much a row of them counts. */
const COPIES = [
  { name: 'as they are', keep: 1, weight: 1 },
  { name: 'thinned to a half', keep: 0.5, weight: 0.5 },
  { name: 'thinned to a quarter', keep: 0.25, weight: 0.5 },
] as const;

function main(): void {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      out: { type: 'string' },
      report: { type: 'string' },
      seed: { type: 'string', default: '1' },
      version: { type: 'string', default: String(SCORER_VERSION) },
      'leave-out': { type: 'boolean', default: false },
    },
  });
  if (positionals.length === 0 || (values.out === undefined && !values['leave-out'])) {
    console.error(USAGE);
    process.exitCode = 2;
    return;
  }
  const [seed, version] = [Number(values.seed), Number(values.version)];
  const rooms = positionals.flatMap((file) => roomsOf(readLines(file)));
  const copies = COPIES.map(({ name, keep, weight }, index): Copy => {
    const copy: readonly LabelledRoom[] = keep === 1 ? rooms : thinned(rooms, keep, seed + index);
    return { name, weight, rows: rowsOf(copy, version) };
  });
  const groups = groupsOf(rooms);
  if (values.out === undefined) {
    console.log(leaveOutTable(copies, groups, seed));
    return;
  }
  writeFileSync(values.out, fileOf(learned(copies, () => true, seed, version)));
  const validated = learned(copies, (room) => !isValidation(room), seed, version);
  const report = `${reportOf(copies, validated, rooms.length, seed)}${leaveOutTable(copies, groups, seed)}`;
  if (values.report !== undefined) writeFileSync(values.report, report);
  console.log(report);
}

function readLines(file: string): AddresseeRow[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line.trim() !== '').map((line) => JSON.parse(line) as AddresseeRow);
}

main();

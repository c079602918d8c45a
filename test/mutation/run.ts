// The mutation check of `npm run test:long`: for every fault of the list, a test that its row cites must turn red. It
// prints one line per fault, then those that nobody noticed, and fails when there are any.
//
//   node test/mutation/run.ts                  every fault
//   node test/mutation/run.ts leave/ OBL/5     those of rows that contain one of the words
import { availableParallelism } from 'node:os';
import { allCitations } from '../conformance/all-citations.ts';
import { REQUIREMENTS } from '../conformance/requirements.ts';
import { type Fault, testsOf } from './fault.ts';
import { FAULTS } from './faults.ts';
import { type Lane, type Noticed, openLane, type Outcome } from './lane.ts';

/** Tests with a fault wait a lot, so there are two even on one core. */
const LANES = Math.max(2, availableParallelism());
const NOTHING_RAN = 'no test ran: the id must stand in its title';
const WHY_CHARS = 110;

interface Tried extends Outcome {
  fault: Fault;
}

// The tests draw as in `npm test`, also at the end of a long run.
delete process.env['EARSHOT_LONG'];

const words = process.argv.slice(2);
const chosen = FAULTS.filter(({ row }) => words.length === 0 || words.some((word) => row.includes(word)));
const citations = allCitations();
const started = performance.now();

const lanes = await Promise.all(Array.from({ length: LANES }, openLane));
const tried: Tried[] = [];
const queue = [...chosen];
await Promise.all(lanes.map((lane) => drain(lane)));
const innocent = await redWithoutFault();
await Promise.all(lanes.map((lane) => lane.close()));
report();

async function drain(lane: Lane): Promise<void> {
  for (let fault = queue.shift(); fault !== undefined; fault = queue.shift()) {
    const row = REQUIREMENTS.find(({ id }) => id === fault?.row);
    if (row === undefined) throw new Error(`${fault.row} is no requirement: correct faults/`);
    const outcome = await lane.withFault(fault, testsOf(row, citations));
    tried.push({ fault, ...outcome });
    console.log(lineOf({ fault, ...outcome }));
  }
}

/** A test that is red without the fault has noticed nothing. */
async function redWithoutFault(): Promise<Outcome> {
  const seen = new Map(tried.flatMap(({ noticed }) => noticed).map((one) => [one.test, one]));
  const [lane] = lanes;
  if (lane === undefined || seen.size === 0) return { noticed: [], ran: 0, broken: [] };
  return lane.without([...seen.values()]);
}

function isKilled({ noticed }: Tried): boolean {
  return noticed.length > 0;
}

function lineOf({ fault, noticed, broken, ran }: Tried): string {
  const [first] = noticed;
  if (first !== undefined) return `noticed   ${fault.row}  ${fault.file}  by ${shownAs(first)}`;
  const what = broken[0] ?? (ran === 0 ? NOTHING_RAN : `${ran} cited tests are green`);
  return `SURVIVED  ${fault.row}  ${fault.file}  "${fault.from}" -> "${fault.to}": ${what}`;
}

function shownAs({ file, test, why }: Noticed): string {
  const [line = ''] = why.split('\n');
  return `${file} > ${test.slice(0, WHY_CHARS)}  (${line.slice(0, WHY_CHARS)})`;
}

function report(): void {
  const survivors = tried.filter((one) => !isKilled(one));
  const seconds = Math.round((performance.now() - started) / 1_000);
  console.log(
    `\n${tried.length} faults in ${new Set(tried.map(({ fault }) => fault.row)).size} rows, ${seconds} s`,
  );
  console.log(`survivors: ${survivors.length}`);
  for (const one of survivors) console.log(`  ${lineOf(one)}`);
  const without = [...innocent.noticed.map((one) => shownAs(one)), ...innocent.broken];
  if (without.length > 0) console.log('red without any fault, so it proves nothing:');
  for (const one of without) console.log(`  ${one}`);
  process.exitCode = survivors.length + without.length === 0 && tried.length > 0 ? 0 : 1;
}

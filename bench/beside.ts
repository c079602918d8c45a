// What an event costs the host's event loop, beside another checkout of this project: `node bench/beside.ts FOLDER`. Both hosts
// run warm side by side and get slices of so many events in turn, and what counts is CPU time of the event loop, not the
// clock. A machine that is busy with other work slows both; the median of the ratios of neighbours says which costs more.
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { pathToFileURL } from 'node:url';
import { Loop } from './by-turns.ts';
import { median, percentile } from './measure.ts';
import { AGENTS, SINGLE } from './shapes.ts';

/** Long enough that a turn of the scheduler is a small part of it. */
const SLICE = { ...SINGLE, events: 6_000 };
const SLICE_MAX_MS = 60_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    starts: { type: 'string', default: '4' },
    slices: { type: 'string', default: '8' },
    json: { type: 'boolean', default: false },
  },
});
const [folder] = positionals;
if (folder === undefined) {
  console.error('beside: give the folder of the other checkout, with its dependencies installed');
  process.exit(2);
}

const open = (checkout: string): Promise<Loop> =>
  Loop.open(pathToFileURL(join(checkout, 'bench/host-server.ts')).href, { agents: AGENTS });

const theirs: number[] = [];
const ours: number[] = [];
const ratios: number[] = [];

/** Whoever is started first has a turn at being second next time. */
async function start(nth: number): Promise<void> {
  const checkouts = [resolve(folder ?? ''), join(import.meta.dirname, '..')];
  const [first, second] = nth % 2 === 0 ? checkouts : checkouts.toReversed();
  const [a, b] = [await open(first ?? ''), await open(second ?? '')];
  const [their, our] = nth % 2 === 0 ? [a, b] : [b, a];
  try {
    let before = await their.slice(SLICE, SLICE_MAX_MS);
    for (let slice = 0; slice < Number(values.slices); slice++) {
      const mine = await our.slice(SLICE, SLICE_MAX_MS);
      const after = await their.slice(SLICE, SLICE_MAX_MS);
      theirs.push(after.loopUs);
      ours.push(mine.loopUs);
      ratios.push(mine.loopUs / ((before.loopUs + after.loopUs) / 2));
      before = after;
    }
  } finally {
    await a.close();
    await b.close();
  }
}

for (let nth = 0; nth < Number(values.starts); nth++) await start(nth);

const sorted = ratios.toSorted((a, b) => a - b);
const figures = {
  kind: 'bench/beside',
  slices: ratios.length,
  theirUs: median(theirs),
  ourUs: median(ours),
  ratio: median(ratios),
  spread: [percentile(sorted, 0.25), percentile(sorted, 0.75)] as const,
};
if (values.json) console.log(JSON.stringify(figures));
else {
  const { theirUs, ourUs, ratio, spread } = figures;
  console.log(`event loop, per event   ${folder}: ${theirUs.toFixed(1)} µs, here: ${ourUs.toFixed(1)} µs`);
  console.log(
    `ratio                   ${ratio.toFixed(3)} (${spread.map((at) => at.toFixed(3)).join(' to ')})`,
  );
}

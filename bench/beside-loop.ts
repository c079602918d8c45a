// The rate of the host beside the bare loop, for this checkout and another one in the same run:
// `node bench/beside-loop.ts FOLDER`. All three run warm side by side and get slices of a second in turn: loop, theirs, loop,
// ours, loop. Each slice of a host is compared with the mean of its two neighbours, as in by-turns.ts. The loop is the other
// checkout's and moves as many bytes as its host. So both are held to the floor of then: what makes the store faster makes
// today's loop faster, too.
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { pathToFileURL } from 'node:url';
import type { Bytes, measureBytes } from './bytes.ts';
import { Loop } from './by-turns.ts';
import { median, percentile } from './measure.ts';
import { AGENTS, SINGLE } from './shapes.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    starts: { type: 'string', default: '4' },
    slices: { type: 'string', default: '5' },
    json: { type: 'boolean', default: false },
  },
});
const [folder] = positionals;
if (folder === undefined) {
  console.error('beside-loop: give the folder of the other checkout, with its dependencies installed');
  process.exit(2);
}

interface Host {
  checkout: string;
  ratios: number[];
  perSecond: number[];
}

const host = (checkout: string): Host => ({ checkout, ratios: [], perSecond: [] });
const theirs = host(resolve(folder));
const ours = host(join(import.meta.dirname, '..'));

const open = ({ checkout }: Host): Promise<Loop> =>
  Loop.open(pathToFileURL(join(checkout, 'bench/host-server.ts')).href, { agents: AGENTS });

/** Whoever is started first is second next time. */
async function start(nth: number, same: Bytes): Promise<void> {
  const floor = await Loop.open(inTheirs('bench/floor-store-server.ts'), { same, extraSyncMs: 0 });
  const running: { host: Host; loop: Loop }[] = [];
  try {
    for (const one of nth % 2 === 0 ? [theirs, ours] : [ours, theirs])
      running.push({ host: one, loop: await open(one) });
    let before = await floor.slice(SINGLE);
    for (let slice = 0; slice < Number(values.slices); slice++) {
      for (const one of running) {
        const { perSecond } = await one.loop.slice(SINGLE);
        const after = await floor.slice(SINGLE);
        one.host.perSecond.push(perSecond);
        one.host.ratios.push(perSecond / ((before.perSecond + after.perSecond) / 2));
        before = after;
      }
    }
  } finally {
    for (const { loop } of running) await loop.close();
    await floor.close();
  }
}

const inTheirs = (path: string): string => pathToFileURL(join(theirs.checkout, path)).href;
const bytes = (await import(inTheirs('bench/bytes.ts'))) as { measureBytes: typeof measureBytes };
const same = await bytes.measureBytes();
for (let nth = 0; nth < Number(values.starts); nth++) await start(nth, same);

const figures = [theirs, ours].map(({ checkout, ratios, perSecond }) => {
  const sorted = ratios.toSorted((a, b) => a - b);
  const spread = [percentile(sorted, 0.25), percentile(sorted, 0.75)] as const;
  return { checkout, slices: ratios.length, perSecond: median(perSecond), ratio: median(ratios), spread };
});
if (values.json) console.log(JSON.stringify({ kind: 'bench/beside-loop', hosts: figures }));
else
  for (const { checkout, perSecond, ratio, spread } of figures) {
    const half = spread.map((at) => at.toFixed(3)).join(' to ');
    console.log(
      `${ratio.toFixed(3)} of the bare loop (${half}), ${Math.round(perSecond)} a second: ${checkout}`,
    );
  }

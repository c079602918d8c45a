// `npm run bench -- --postgres`: hosts on PostgreSQL beside the host on SQLite and two job queues on the same server, by
// turns in one run. A machine that is shared slows all of them, so what counts are the ratios of neighbours in a round.
import { cacheFolder, install } from '../../test/clients/install.ts';
import { median, rounded, syncTime, withFolder } from '../measure.ts';
import { type Contender, openHosts, openPeer, type Slice } from './contenders.ts';
import { Database } from './database.ts';

/** Their newest versions that could be installed when this was written. They are installed on the first run, outside. */
const PEERS = [
  ['graphile-worker', '0.18.0'],
  ['pg-boss', '12.35.0'],
] as const;
const ROUNDS = 6;
const SLICE_MS = 2_500;
const WARM_UP_MS = 4_000;
const [FEW, MANY] = [50, 5_000];

type Name = 'SQLite' | '1 node' | '2 nodes' | '3 nodes' | 'graphile-worker' | 'pg-boss';
/** In the order of the turns. What is compared stands together. */
const TURNS: readonly (readonly [Name, number])[] = [
  ['SQLite', FEW],
  ['1 node', FEW],
  ['graphile-worker', FEW],
  ['2 nodes', FEW],
  ['3 nodes', FEW],
  ['pg-boss', FEW],
  ['SQLite', MANY],
  ['1 node', MANY],
  ['3 nodes', MANY],
  ['2 nodes', MANY],
];

const label = (name: Name, conversations: number): string => `${name}, ${rounded(conversations)}`;

export async function measurePostgres(rounds = ROUNDS) {
  return withFolder(async (folder) => {
    const syncMs = syncTime(folder);
    const database = await Database.start(folder);
    const open = new Map<Name, Contender>();
    try {
      for (const [peer, version] of PEERS) {
        console.error(`${peer} ${version}, kept in ${cacheFolder()}`);
        const { packages } = await install(peer, { version });
        open.set(peer, await openPeer(database, { peer, packages }));
      }
      open.set('SQLite', await openHosts({ database, folder, nodes: 1 }));
      for (const nodes of [1, 2, 3]) {
        const name = nodes === 1 ? '1 node' : (`${nodes} nodes` as Name);
        open.set(name, await openHosts({ database, folder, nodes, schema: `bench_${nodes}` }));
      }
      const slices = await takeTurns(open, rounds);
      return { kind: 'bench/postgres' as const, syncMs, slices };
    } finally {
      for (const contender of open.values()) await contender.close();
      await database.stop();
    }
  });
}

async function takeTurns(open: ReadonlyMap<Name, Contender>, rounds: number) {
  const slices: Record<string, Slice[]> = {};
  for (const [name, contender] of open) {
    console.error(`warming up: ${name}`);
    for (const conversations of [MANY, FEW]) await contender.slice({ conversations, forMs: WARM_UP_MS / 2 });
  }
  for (let round = 1; round <= rounds; round++) {
    console.error(`round ${round} of ${rounds}`);
    for (const [name, conversations] of TURNS) {
      const slice = await open.get(name)?.slice({ conversations, forMs: SLICE_MS });
      if (slice !== undefined) (slices[label(name, conversations)] ??= []).push(slice);
    }
  }
  return slices;
}

type Measured = Awaited<ReturnType<typeof measurePostgres>>;

/** The median of the ratios in each round. */
function ratio({ slices }: Measured, one: string, other: string, of: (slice: Slice) => number): number {
  const [ours, theirs] = [slices[one] ?? [], slices[other] ?? []];
  return median(
    ours.flatMap((slice, at) => {
      const beside = theirs[at];
      return beside === undefined ? [] : [of(slice) / of(beside)];
    }),
  );
}

interface Bar {
  what: string;
  got: number;
  bar: string;
  holds: boolean;
}

const rate = ({ perSecond }: Slice): number => perSecond;
const cpu = ({ databaseUs }: Slice): number => databaseUs;
const least = (what: string, got: number, bar: number): Bar => ({
  what,
  got,
  bar: `≥ ${bar}`,
  holds: got >= bar,
});
const most = (what: string, got: number, bar: number): Bar => ({
  what,
  got,
  bar: `≤ ${bar}`,
  holds: got <= bar,
});

export function postgresBars(measured: Measured): Bar[] {
  const [one, queue] = [label('1 node', FEW), label('graphile-worker', FEW)];
  return [
    least('1 node : graphile-worker, 50', ratio(measured, one, queue, rate), 0.3),
    least('1 node : SQLite, 50', ratio(measured, one, label('SQLite', FEW), rate), 0.6),
    most("PostgreSQL's CPU, 1 node : graphile-worker", ratio(measured, one, queue, cpu), 1.3),
    least('3 nodes : 1, 5,000', ratio(measured, label('3 nodes', MANY), label('1 node', MANY), rate), 0.8),
  ];
}

const cell = (value: number, digits = 0): string =>
  (Number.isFinite(value) ? value.toFixed(digits) : '-').padStart(12);

export function printPostgres(measured: Measured): void {
  console.log(
    `sync of one page: p50 ${measured.syncMs.p50.toFixed(2)} ms, p99 ${measured.syncMs.p99.toFixed(2)} ms; medians of the slices, for each event`,
  );
  const heads = ['/s', 'node µs', 'PG µs', 'statements', 'WAL bytes', 'units/batch'];
  console.log(`${'conversations'.padEnd(26)}${heads.map((head) => head.padStart(12)).join('')}`);
  for (const [name, conversations] of TURNS) {
    const all = measured.slices[label(name, conversations)] ?? [];
    const of = (pick: (slice: Slice) => number): number => median(all.map(pick));
    const cells = [
      cell(of(({ perSecond }) => perSecond)),
      cell(of(({ nodeUs }) => nodeUs)),
      cell(of(({ databaseUs }) => databaseUs)),
      cell(
        of(({ statements }) => statements),
        3,
      ),
      cell(of(({ walBytes }) => walBytes)),
      cell(of(({ unitsABatch }) => unitsABatch)),
    ];
    console.log(`${label(name, conversations).padEnd(26)}${cells.join('')}`);
  }
  for (const { what, got, bar, holds } of postgresBars(measured))
    console.log(`${what.padEnd(44)}${got.toFixed(2).padEnd(8)}${bar.padEnd(8)}${holds ? 'holds' : 'FAILS'}`);
}

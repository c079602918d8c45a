// `earshot migrate`: copies the SQLite store of a data folder into a PostgreSQL database, while no host runs. Ended at any
// moment, the next run goes on where it stopped. The SQLite file is only read.
import { existsSync } from 'node:fs';
import { systemClock } from '../runtime/clock.ts';
import { PackageMissing } from '../runtime/optional-package.ts';
import type { MoveOptions, Moved, MoveStep } from '../store/move/move.ts';
import { type Command, parseFlags } from './args.ts';
import { storeFile } from './data-dir.ts';
import { resolveDataDir } from './host-config.ts';
import { CommandError, type Io } from './io.ts';
import { plural } from './totals.ts';

const HELP = `Usage: earshot migrate --to postgres://USER@HOST/DATABASE [--data DIR] [--anew]

Copies the store of a data folder from SQLite into PostgreSQL 17 or later, while no host runs: the log, all deliveries,
sends, files, tokens and states. Then it reads the copy back and compares counts and hashes, table by table. Ended at any
moment, it goes on where it stopped when it is run again. The SQLite file is only read and stays where it is; so do the
settings, and in the data folder tokens.json and the backups.

  --to URL        the database; an empty schema, or one that has an unfinished copy of the same data.
                  The schema is "earshot", or the one of postgres://…?schema=NAME
  --anew          remove an unfinished copy first and begin again, for instance because a host ran since
  --data DIR      the data folder; ./.earshot when left out                      (EARSHOT_DATA)
  --config FILE   the configuration that names it
  --json          as JSON
  -h, --help      this text

Example:
  earshot migrate --to postgres://earshot@db.example/earshot
`;

const OPTIONS = {
  to: { type: 'string' },
  anew: { type: 'boolean' },
  data: { type: 'string' },
  config: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Where nobody watches a terminal, a line so often. */
const LINE_EVERY_MS = 10_000;

export const migrateCommand: Command = { help: HELP, run };

async function run(argv: readonly string[], io: Io): Promise<number> {
  const { values } = parseFlags('migrate', argv, OPTIONS, 0);
  if (values.help === true) {
    await io.out(HELP);
    return 0;
  }
  const { to, anew = false, json = false } = values;
  if (to === undefined)
    throw new CommandError(
      2,
      'migrate: say where to with --to postgres://USER@HOST/DATABASE (see: earshot migrate --help)',
    );
  const dataDir = await resolveDataDir(values, process.env);
  const from = storeFile(dataDir);
  if (!existsSync(from))
    throw new CommandError(
      1,
      `there is no data in ${dataDir}: name another folder with --data DIR, or start on PostgreSQL at once`,
    );
  const [{ moveStore }, { postgresAddress }] = await Promise.all([
    import('../store/move/move.ts'),
    import('../store/postgres/address.ts'),
  ]);
  const progress = progressOf(io, json);
  try {
    const { shown } = postgresAddress(to);
    const moved = await moveStore({ from, to, anew, seen: progress.seen });
    io.progress.clear();
    await io.out(
      json ? `${JSON.stringify({ from, to: shown, ...moved })}\n` : said(moved, from, shown, dataDir),
    );
  } catch (error) {
    io.progress.clear();
    if (error instanceof PackageMissing) throw error;
    throw refusal(error, progress.began());
  }
  return 0;
}

function refusal(error: unknown, began: boolean): CommandError {
  const why = error instanceof Error ? error.message : String(error);
  const then = why.includes('another Earshot is using') ? ': stop it first, then migrate' : '';
  const kept = began ? 'run it again, and it goes on where it stopped' : 'nothing was changed';
  const tail = began && why.includes('--anew') ? '' : `; ${kept}`;
  return new CommandError(1, `migrate: ${why}${then}${tail}`, { cause: error });
}

interface MoveProgress {
  seen: MoveOptions['seen'];
  /** Something was copied. */
  began(): boolean;
}

const STEPS: Readonly<Record<MoveStep, string>> = {
  reading: 'read',
  copying: 'copied',
  comparing: 'compared',
};

function progressOf(io: Io, json: boolean): MoveProgress {
  let began = false;
  let next = systemClock.now() + LINE_EVERY_MS;
  return {
    seen(step, table, rows, of) {
      began ||= step === 'copying';
      const text = (): string =>
        `${STEPS[step]} ${rows}${of === undefined ? '' : ` of ${of}`} rows of ${table}`;
      io.progress.show(text);
      const now = systemClock.now();
      if (io.isTerminal === true || json || now < next) return;
      next = now + LINE_EVERY_MS;
      io.err(`${text()}\n`);
    },
    began: () => began,
  };
}

function said(
  { tables, resumedRows, wasThere }: Moved,
  from: string,
  shown: string,
  dataDir: string,
): string {
  const rows = tables.reduce((sum, listed) => sum + listed.rows, 0);
  const log = tables.find(({ table }) => table === 'log')?.rows ?? 0;
  const earlier = resumedRows === 0 ? '' : `, ${resumedRows} of them in an earlier run`;
  const done = wasThere
    ? `${from} was copied to ${shown} before; nothing was done.`
    : `Copied ${rows} ${plural(rows, 'row')} with ${log} ${plural(log, 'event')}${earlier}; read back, all counts and hashes are equal.`;
  return `${done}

Next:
  1. Start the host on it: earshot up --store '${shown}'   (with its password)
     It indexes the words of old messages at the first search.
  2. Do not start a host without --store on ${dataDir} any more: it would go on with the SQLite file.
     That file is as it was: ${from}; keep it until you trust the new store, then remove it and its -wal, -shm,
     -lock and -search files.
  3. The settings, tokens.json and backups stay where they are. Tokens, people, files and read marks were copied, so
     nobody has to sign in again.
  4. From now on back up with pg_dump: "earshot backup" copies only SQLite.
`;
}

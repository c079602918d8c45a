// `earshot restore`: puts a copy that `earshot backup` made in the place of the store. What was there is kept. Nothing is
// touched before the copy has been read through and found whole, or while a host runs.
import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { systemClock } from '../runtime/clock.ts';
import { type Command, parseFlags } from './args.ts';
import { backupsDir, fileTime, makeDataDir, storeFile } from './data-dir.ts';
import { resolvePlace } from './host-config.ts';
import { CommandError, type Io } from './io.ts';
import { shownAddress } from './store-address.ts';

const HELP = `Usage: earshot restore FILE [--data DIR]

Puts a copy made by "earshot backup" in the place of the store, while no host runs. The store that was there is moved to
DIR/backups first. Tokens are in the store: those of the copy are valid again, later ones are not.

  --data DIR      the data folder; ./.earshot when left out                      (EARSHOT_DATA)
  --config FILE   the configuration that names it
  --json          as JSON
  -h, --help      this text

Example:
  earshot restore ./earshot-monday.db
`;

const OPTIONS = {
  data: { type: 'string' },
  config: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

export const restoreCommand: Command = { help: HELP, run };

async function run(argv: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = parseFlags('restore', argv, OPTIONS, 1);
  if (values.help === true) {
    await io.out(HELP);
    return 0;
  }
  const [name] = positionals;
  if (name === undefined) throw new CommandError(2, 'restore: name the copy (see: earshot restore --help)');
  const copy = resolve(name);
  if (!existsSync(copy))
    throw new CommandError(1, `${name}: no such file; name one that "earshot backup" made`);
  const { dataDir, store } = await resolvePlace(values, process.env);
  if (store !== undefined)
    throw new CommandError(
      1,
      `restore: the store is the database ${shownAddress(store)}: put a dump back with pg_restore (docs/scale.md)`,
    );
  makeDataDir(dataDir);
  const [{ lockFile }, { checkCopy }] = await Promise.all([
    import('../store/sqlite/lock.ts'),
    import('../store/sqlite/check-copy.ts'),
  ]);
  const events = orRefuse(() => checkCopy(copy));
  const file = storeFile(dataDir);
  const unlock = orRefuse(() => lockFile(file), ': stop it first, then restore');
  try {
    // Copied beside its place first: a full disk leaves the store as it was.
    const partial = `${file}.restoring`;
    orRefuse(() => copyFileSync(copy, partial));
    const aside = moveAside(dataDir);
    renameSync(partial, file);
    const row = { file, from: copy, events, aside: aside ?? null };
    await io.out(values.json === true ? `${JSON.stringify(row)}\n` : said(name, row));
  } finally {
    rmSync(`${file}.restoring`, { force: true });
    unlock();
  }
  return 0;
}

function said(name: string, { file, events, aside }: { file: string; events: number; aside: string | null }) {
  const before = aside === null ? '' : `What was there is in ${aside}.\n`;
  return `${file} is now ${name}, with ${events} events.\n${before}Start the host: earshot up\n`;
}

/** The store with its WAL. The shared memory says nothing without its process. */
function moveAside(dataDir: string): string | undefined {
  const file = storeFile(dataDir);
  if (!existsSync(file)) return undefined;
  const target = join(backupsDir(dataDir), `before-restore-${fileTime(systemClock.now())}`);
  mkdirSync(target, { recursive: true, mode: 0o700 });
  for (const suffix of ['', '-wal']) {
    if (existsSync(`${file}${suffix}`)) renameSync(`${file}${suffix}`, join(target, `earshot.db${suffix}`));
  }
  rmSync(`${file}-shm`, { force: true });
  return target;
}

function orRefuse<R>(act: () => R, whatToDo = ''): R {
  try {
    return act();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CommandError(1, `restore: ${why}${whatToDo}; nothing was changed`, { cause: error });
  }
}

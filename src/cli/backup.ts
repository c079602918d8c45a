// `earshot backup`: writes everything into one file, whether the host runs or not. Never overwrites a file. With --to it
// names the file by the time and keeps the newest few.
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { systemClock } from '../runtime/clock.ts';
import { type Command, parseFlags } from './args.ts';
import { fileTime } from './data-dir.ts';
import { STORE_HELP, STORE_OPTIONS, findHost } from './host-client.ts';
import { resolvePlace } from './host-config.ts';
import { CommandError, type Io } from './io.ts';
import { withStore } from './local-store.ts';
import { shownAddress } from './store-address.ts';

const HELP = `Usage: earshot backup FILE
       earshot backup --to DIR [--keep N]

Writes a consistent copy of the store to FILE, or to a file named by the time in DIR; the host goes on meanwhile. With
--keep only the newest N of such files stay in DIR. "earshot restore FILE" puts a copy back.

  --to DIR        the folder; it is made when it is not there
  --keep N        how many stay; all when left out
${STORE_HELP}

Examples:
  earshot backup ./earshot-monday.db
  earshot backup --to /var/backups/earshot --keep 14
`;

const OPTIONS = {
  ...STORE_OPTIONS,
  to: { type: 'string' },
  keep: { type: 'string' },
} as const;

export const backupCommand: Command = {
  help: HELP,
  run,
};

async function run(argv: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = parseFlags('backup', argv, OPTIONS, 1);
  if (values.help === true) {
    await io.out(HELP);
    return 0;
  }
  const keep = keepOf(values);
  const name = nameOf(positionals[0], values.to);
  if (values.url !== undefined)
    throw new CommandError(2, 'backup: run it where the data is; --url cannot carry a file');
  const file = resolve(name);
  if (existsSync(file)) throw new CommandError(1, `${name} is there already: choose another name`);
  if (!existsSync(dirname(file)))
    throw new CommandError(1, `${dirname(file)} does not exist: make the folder first`);
  const place = await resolvePlace(values, process.env);
  if (place.store !== undefined)
    throw new CommandError(
      1,
      `the store is the database ${shownAddress(place.store)}: back it up with pg_dump (docs/scale.md)`,
    );
  const host = await findHost(values);
  assertWritable(file);
  if (host === undefined) {
    await withStore(place, false, ({ store }) => store.backup(file));
  } else {
    const made = (await host.call('POST', '/v1/backup')) as { file: string };
    moveTo(made.file, file);
  }
  const bytes = statSync(file).size;
  const removed = values.to === undefined || keep === undefined ? [] : removeOld(resolve(values.to), keep);
  if (values.json === true) await io.out(`${JSON.stringify({ file, bytes, removed })}\n`);
  else {
    const gone = removed.length === 0 ? '' : `; removed ${removed.join(', ')}`;
    await io.out(`${name}: ${bytes} bytes${gone}\n`);
  }
  return 0;
}

function keepOf({ to, keep }: { to?: string; keep?: string }): number | undefined {
  if (keep === undefined) return undefined;
  if (to === undefined) throw new CommandError(2, 'backup: --keep goes with --to DIR');
  if (/^[1-9]\d{0,5}$/.test(keep)) return Number(keep);
  throw new CommandError(2, `--keep: "${keep}" is no count; write a number from 1 on`);
}

function nameOf(file: string | undefined, to: string | undefined): string {
  if ((file === undefined) === (to === undefined))
    throw new CommandError(
      2,
      'backup: name the file to write, or a folder with --to DIR (see: earshot backup --help)',
    );
  if (file !== undefined) return file;
  const folder = to ?? '';
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandError(1, `${folder} cannot be made (${code}): choose another with --to DIR`, {
      cause: error,
    });
  }
  return join(folder, `earshot-${fileTime(systemClock.now())}.db`);
}

/** Only files that this command has named. Their names sort by time. */
const NAMED = /^earshot-\d{8}T\d{6}Z\.db$/;

function removeOld(folder: string, keep: number): string[] {
  const made = readdirSync(folder).filter((name) => NAMED.test(name));
  const old = made.toSorted().slice(0, -keep);
  for (const name of old) rmSync(join(folder, name));
  return old;
}

/** A file that cannot be made is said before anything is copied. */
function assertWritable(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
    rmSync(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandError(1, `${file} cannot be written (${code}): name a file in another folder`, {
      cause: error,
    });
  }
}

/** Moves the copy that the host wrote into its own folder, which may be on another disk. */
function moveTo(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    copyToDisk(from, to);
    rmSync(from);
  }
}

/** The other disk may be full. The copy is then where the host wrote it. */
function copyToDisk(from: string, to: string): void {
  try {
    copyFileSync(from, to);
  } catch (error) {
    rmSync(to, { force: true });
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandError(1, `${to} cannot be written (${code}); the copy is ${from}`, { cause: error });
  }
}

// `earshot backup`: writes everything into one file, whether the host runs or not. Never overwrites a file.
import { copyFileSync, existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type Command, parseFlags } from './args.ts';
import { CLIENT_HELP, CLIENT_OPTIONS, findHost } from './host-client.ts';
import { resolveDataDir } from './host-config.ts';
import { CommandError, type Io } from './io.ts';
import { withStore } from './local-store.ts';

const HELP = `Usage: earshot backup FILE

Writes a consistent copy of the store to FILE; the host goes on meanwhile. To restore: stop the host, put the file in
place of earshot.db in the data folder, delete earshot.db-wal and earshot.db-shm, start.

${CLIENT_HELP}

Example:
  earshot backup ./earshot-monday.db
`;

export const backupCommand: Command = {
  help: HELP,
  run,
};

async function run(argv: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = parseFlags('backup', argv, CLIENT_OPTIONS, 1);
  if (values.help === true) {
    await io.out(HELP);
    return 0;
  }
  const [name] = positionals;
  if (name === undefined)
    throw new CommandError(2, 'backup: name the file to write (see: earshot backup --help)');
  if (values.url !== undefined)
    throw new CommandError(2, 'backup: run it where the data is; --url cannot carry a file');
  const file = resolve(name);
  if (existsSync(file)) throw new CommandError(1, `${name} is there already: choose another name`);
  if (!existsSync(dirname(file)))
    throw new CommandError(1, `${dirname(file)} does not exist: make the folder first`);
  const host = await findHost(values);
  if (host === undefined) {
    await withStore(await resolveDataDir(values, process.env), false, ({ store }) => store.backup(file));
  } else {
    const made = (await host.call('POST', '/v1/backup')) as { file: string };
    moveTo(made.file, file);
  }
  const bytes = statSync(file).size;
  await io.out(values.json === true ? `${JSON.stringify({ file, bytes })}\n` : `${name}: ${bytes} bytes\n`);
  return 0;
}

/** Moves the copy that the host wrote into its own folder, which may be on another disk. */
function moveTo(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    copyFileSync(from, to);
    rmSync(from);
  }
}

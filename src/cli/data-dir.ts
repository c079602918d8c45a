// The data folder: the store, the development tokens and the address of the running host. Only its owner may read it.
// Files are replaced whole, so that a reader never sees half of one.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { CommandError } from './io.ts';
import { replaceFile } from './replace-file.ts';

const tokensSchema = z.object({
  /** Written by earlier versions. `host.json` has the address. */
  url: z.string().optional(),
  operator: z.string().optional(),
  surfaces: z.record(z.string(), z.string()).default({}),
  agents: z.record(z.string(), z.string()).default({}),
  /** The people of the web chat, by id. */
  people: z.record(z.string(), z.string()).default({}),
});
/** Tokens that the host made on its first start, for commands and examples on this machine. */
export type DevelopmentTokens = z.infer<typeof tokensSchema>;

const runningSchema = z.object({ url: z.string(), instance: z.string(), pid: z.number() });
/** The address of this folder's host, while it runs. */
export type Running = z.infer<typeof runningSchema>;

/** A file of this folder that is no JSON of its kind. Only `earshot up` writes them, and it writes them anew. */
export class DamagedFile extends CommandError {
  constructor(file: string, options: ErrorOptions) {
    super(1, `${file} is damaged: start "earshot up" again, it writes a new one`, options);
  }
}

export function storeFile(dataDir: string): string {
  return join(dataDir, 'earshot.db');
}
export function tokensFile(dataDir: string): string {
  return join(dataDir, 'tokens.json');
}
export function backupsDir(dataDir: string): string {
  return join(dataDir, 'backups');
}
/** A time that can stand in a name of a file, and sorts: 20260602T090000Z. */
export function fileTime(ms: number): string {
  return new Date(ms).toISOString().replaceAll(/[-:]|\.\d+/g, '');
}
function runningFile(dataDir: string): string {
  return join(dataDir, 'host.json');
}

export function makeDataDir(dataDir: string): void {
  try {
    makeFolders(dataDir);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandError(1, `${dataDir} cannot be made (${code}): choose another with --data DIR`, {
      cause: error,
    });
  }
}

/**
 * Makes the folder and those above it. Node's own `recursive` never returns where a parent is there and still says that
 * there is no such folder, as in /proc.
 */
function makeFolders(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return;
  const above = dirname(folder);
  if (above !== folder && !existsSync(above)) makeFolders(above);
  mkdirSync(folder, { mode: 0o700 });
}

export function readTokens(dataDir: string): DevelopmentTokens | undefined {
  return readJson(tokensFile(dataDir), tokensSchema);
}
export function writeTokens(dataDir: string, tokens: DevelopmentTokens): void {
  writePrivately(tokensFile(dataDir), tokens);
}
export function readRunning(dataDir: string): Running | undefined {
  return readJson(runningFile(dataDir), runningSchema);
}
export function writeRunning(dataDir: string, running: Running): void {
  writePrivately(runningFile(dataDir), running);
}
/** Removes the file only if it is ours. A host that started after us has replaced it. */
export function forgetRunning(dataDir: string, instance: string): void {
  if (isRunning(dataDir, instance)) rmSync(runningFile(dataDir), { force: true });
}

function isRunning(dataDir: string, instance: string): boolean {
  try {
    return readRunning(dataDir)?.instance === instance;
  } catch (error) {
    if (error instanceof DamagedFile) return true; // nobody else can use it either
    throw error;
  }
}

/** Keeps the damaged file beside the new one: a person may still read a token in it. */
export function setTokensAside(dataDir: string): string {
  const aside = `${tokensFile(dataDir)}.damaged`;
  renameSync(tokensFile(dataDir), aside);
  return aside;
}

/** What is wrong with the permissions, if anything. */
export function permissionProblem(path: string): string | undefined {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode;
  if (mode === undefined || process.platform === 'win32' || (mode & 0o077) === 0) return undefined;
  return `others may read it (${(mode & 0o777).toString(8)})`;
}

function readJson<S extends z.ZodType>(file: string, schema: S): z.infer<S> | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new CommandError(1, `${file} cannot be read (${(error as NodeJS.ErrnoException).code})`, {
      cause: error,
    });
  }
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    throw new DamagedFile(file, { cause: error });
  }
}

function writePrivately(file: string, value: unknown): void {
  replaceFile(file, `${JSON.stringify(value, null, 2)}\n`, 0o600);
}

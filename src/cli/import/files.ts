// The files of an export, wherever they are: a zip, the folder it was unpacked to, or one file. Paths are those inside
// the export, with slashes. A path that points out of it is never opened.
import { type FileHandle, lstat, open, readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { CommandError } from '../io.ts';
import { IMPORT_LIMITS, megabytes } from './limits.ts';
import { Unreadable, type ZipEntry, tooLarge, unzip, zipEntries } from './zip.ts';

export interface ExportFiles {
  /** As the user named it. */
  name: string;
  paths: readonly string[];
  /** Paths that point out of the export. They are not among `paths`. */
  refused: readonly string[];
  /** Rejects with Unreadable. */
  read(path: string): Promise<Buffer>;
  close(): Promise<void>;
}

export async function openExport(name: string): Promise<ExportFiles> {
  try {
    const found = await stat(name);
    if (found.isDirectory()) return await openFolder(name);
    const file = await open(name, 'r');
    try {
      return await openFile(name, file);
    } catch (error) {
      await file.close();
      throw error;
    }
  } catch (error) {
    if (error instanceof Unreadable) throw new CommandError(1, `${name}: ${error.message}`, { cause: error });
    if (error instanceof CommandError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    throw new CommandError(
      1,
      code === 'ENOENT'
        ? `${name}: no such file or folder; name the export as it was downloaded, or the folder it was unpacked to`
        : `${name} cannot be read (${code ?? message})`,
      { cause: error },
    );
  }
}

async function openFile(name: string, file: FileHandle): Promise<ExportFiles> {
  const start = Buffer.alloc(2);
  await file.read(start, 0, 2, 0);
  if (start.toString('latin1') === 'PK') return openZip(name, file);
  const path = basename(name);
  return {
    name,
    paths: [path],
    refused: [],
    read: () => readBounded(name),
    close: () => file.close(),
  };
}

async function openZip(name: string, file: FileHandle): Promise<ExportFiles> {
  const entries = new Map<string, ZipEntry>();
  const refused: string[] = [];
  for (const entry of await zipEntries(file)) {
    const path = entry.path.replaceAll('\\', '/');
    if (path.endsWith('/')) continue;
    if (isInside(path)) entries.set(path, entry);
    else refused.push(path);
  }
  let total = 0;
  return {
    name,
    paths: [...entries.keys()],
    refused,
    async read(path) {
      const entry = entries.get(path);
      if (entry === undefined) throw new Unreadable('it is not in the export');
      total += entry.bytes;
      if (total > IMPORT_LIMITS.totalBytes)
        throw new Unreadable(`the zip unpacks to more than ${megabytes(IMPORT_LIMITS.totalBytes)}`);
      return unzip(file, entry);
    },
    close: () => file.close(),
  };
}

async function openFolder(name: string): Promise<ExportFiles> {
  const paths: string[] = [];
  const look = async (folder: string, depth: number): Promise<void> => {
    for (const found of await readdir(join(name, folder), { withFileTypes: true })) {
      const path = folder === '' ? found.name : `${folder}/${found.name}`;
      if (paths.length >= IMPORT_LIMITS.files) return;
      // Links are left alone: they may lead out of the folder.
      if (found.isFile()) paths.push(path);
      else if (found.isDirectory() && depth < IMPORT_LIMITS.depth) await look(path, depth + 1);
    }
  };
  await look('', 1);
  return { name, paths, refused: [], read: (path) => readBounded(join(name, path)), close: async () => {} };
}

async function readBounded(path: string): Promise<Buffer> {
  try {
    const { size } = await lstat(path);
    if (size > IMPORT_LIMITS.fileBytes) throw tooLarge(IMPORT_LIMITS.fileBytes);
    return await readFile(path);
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Unreadable(`it cannot be read (${code ?? message})`, { cause: error });
  }
}

function isInside(path: string): boolean {
  return !path.startsWith('/') && !/^[a-z]:/i.test(path) && !path.split('/').includes('..');
}

/** Rejects with Unreadable where it is not JSON. */
export async function readJson(files: ExportFiles, path: string): Promise<unknown> {
  const bytes = await files.read(path);
  try {
    return JSON.parse(bytes.toString('utf8').replace(/^\uFEFF/, '')) as unknown;
  } catch (error) {
    // The parser's own words would quote what somebody wrote.
    throw new Unreadable('it is no valid JSON', { cause: error });
  }
}

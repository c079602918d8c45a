// The tree as the checks see it: paths relative to the repository, with their text. A check is a function from such
// a list to complaints, so that it can be tried on a planted list as well as on the real tree.
import { globSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';

export interface SourceFile {
  /** With forward slashes: `src/attention/attend.ts`. */
  path: string;
  text: string;
}

/** One line for a person: where, what, and what to do about it. */
export type Complaint = string;
export type Check = (files: readonly SourceFile[]) => Complaint[];

const ROOT = join(import.meta.dirname, '..', '..');

export function readTree(...folders: string[]): SourceFile[] {
  return folders
    .flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx,js,mjs}`, { cwd: ROOT }))
    .map((path) => path.split(sep).join('/'))
    .filter((path) => !path.includes('node_modules/'))
    .toSorted()
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));
}

export function isTest(path: string): boolean {
  return /\.test\.tsx?$/.test(path);
}

/** `attention` for `src/attention/…`, empty for a file directly in src, undefined outside src. */
export function folderOf(path: string): string | undefined {
  const [top, folder, ...rest] = path.split('/');
  if (top !== 'src') return undefined;
  return rest.length === 0 ? '' : folder;
}

/** A complaint with the line on which `index` falls. */
export function complain(file: SourceFile, index: number, what: string): Complaint {
  return `${file.path}:${file.text.slice(0, index).split('\n').length}: ${what}`;
}

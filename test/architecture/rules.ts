// The rules of style and of ARCHITECTURE.md that can be read off the text: purity, names, sizes, openings,
// and nothing switched off. Each is a check over a list of files.
import { posix } from 'node:path';
import { mask } from './mask.ts';
import { type Check, type Complaint, complain, folderOf, isTest, type SourceFile } from './tree.ts';

const inSrc = (file: SourceFile): boolean => file.path.startsWith('src/');

function hits(file: SourceFile, text: string, pattern: RegExp, what: (word: string) => string): Complaint[] {
  return [...text.matchAll(pattern)].map((hit) => complain(file, hit.index, what(hit[0].trim())));
}

const CLOCK_AND_CHANCE = [
  /\bDate\s*\.\s*now\b/g,
  /\bnew\s+Date\b(?!\s*\()|\bnew\s+Date\s*\(\s*\)|(?<!new\s+|[.\w$])Date\s*\(/g,
  /\bperformance\s*\.\s*now\b|\bhrtime\b|\bTemporal\s*\.\s*Now\b/g,
  /\bMath\s*\.\s*random\b|\brandomUUID\b/g,
  /(?:(?<![.\w$])|\bglobalThis\s*\.\s*)(?:setTimeout|setInterval|setImmediate)\b|\bAbortSignal\s*\.\s*timeout\b/g,
];
const PROCESS = /(?<![.\w$])process\s*\.\s*\w+/g;

/** (c) Time, chance and environment come in through ports: only runtime touches them. */
export const purity: Check = (files) =>
  files.filter(inSrc).flatMap((file) => {
    const folder = folderOf(file.path);
    if (folder === 'runtime' || folder === 'console') return [];
    const { code } = mask(file.text);
    const complaints = CLOCK_AND_CHANCE.flatMap((pattern) =>
      hits(
        file,
        code,
        pattern,
        (word) => `${word} outside src/runtime: take the clock or the ids as an input`,
      ),
    );
    const environment =
      folder === 'cli'
        ? []
        : hits(
            file,
            code,
            PROCESS,
            (word) => `${word} outside src/runtime and src/cli: take it as configuration`,
          );
    return [...complaints, ...environment];
  });

const BANNED = /^(?:utils?|helpers?|common|managers?|services?|misc)$/;
const KEBAB = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** (d) Files and folders are named for one thing, in kebab-case. */
export const fileNames: Check = (files) =>
  files.flatMap(({ path }) => {
    const names = path.replace(/\.[a-z]+$/, '').split(/[/.]/);
    const complaints: Complaint[] = [];
    for (const name of names) {
      const banned = name.split('-').find((part) => BANNED.test(part));
      if (banned !== undefined)
        complaints.push(`${path}: "${banned}" says nothing; name what is in the file`);
      if (!KEBAB.test(name)) complaints.push(`${path}: "${name}" is not kebab-case`);
    }
    return complaints;
  });

const RE_EXPORT = /export\s+(?:type\s+)?(?:\*(?:\s+as\s+\w+)?|\{[^}]*\})\s*from\s*(['"]) *\1\s*;?/g;

/** (d) An index.ts is a list of exports. */
export const indexFiles: Check = (files) =>
  files
    .filter((file) => inSrc(file) && posix.basename(file.path) === 'index.ts')
    .filter((file) => mask(file.text).code.replace(RE_EXPORT, '').trim() !== '')
    .map(
      (file) =>
        `${file.path}: an index.ts holds export lines and comments only; move the rest to its own file`,
    );

export const LINES_MAX = 450;

/** (e) Size. A table may be longer if it is listed with its reason, and a listed one must still need it. */
export const fileSizes =
  (tables: Readonly<Record<string, string>>): Check =>
  (files) => {
    const long = files.filter((file) => inSrc(file) && lineCount(file.text) > LINES_MAX);
    const unlisted = long
      .filter((file) => !Object.hasOwn(tables, file.path))
      .map(
        (file) => `${file.path}: ${lineCount(file.text)} lines, at most ${LINES_MAX}: split it by concept`,
      );
    const stale = Object.keys(tables)
      .filter((path) => !long.some((file) => file.path === path))
      .map(
        (path) => `${path}: listed as a long table but is not over ${LINES_MAX} lines: take it off the list`,
      );
    return [...unlisted, ...stale];
  };

function lineCount(text: string): number {
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}

const TEST_OR_FIXTURE = /\.(?:test|fixture)\.tsx?$/;

/** (f) A file opens by saying why it exists; a test or a fixture is named for the file it serves, which says it. */
export const openings: Check = (files) =>
  files
    .filter((file) => inSrc(file) && !TEST_OR_FIXTURE.test(file.path))
    .filter((file) => !/^(?:#!.*\n)?(?:\/\/[^\S\n]*\S|\/\*\*?\s*\S)/.test(file.text))
    .map((file) => `${file.path}: open it with a comment: why it exists, which step, which invariant`);

const ANY = /(?<![.\w$])any\b(?!\s*[(:=?.])|\bz\s*\.\s*any\b/g;
const SUPPRESSION =
  /@ts-(?:ignore|expect-error|nocheck)|\b(?:oxlint|eslint)-(?:disable|enable)|\bbiome-ignore/g;

/** (g) The type checker and the linter are not silenced. */
export const suppressions: Check = (files) =>
  files
    .filter(inSrc)
    .flatMap((file) => [
      ...hits(
        file,
        mask(file.text).code,
        ANY,
        () => '`any` switches the type checker off: use unknown and narrow it',
      ),
      ...hits(file, file.text, SUPPRESSION, (word) => `${word}: mend what it complains about`),
    ]);

/** (h) What is left to do is an issue, not a comment. */
export const leftovers: Check = (files) =>
  files
    .filter(inSrc)
    .flatMap((file) =>
      hits(file, file.text, /\b(?:TODO|FIXME)\b/g, (word) => `${word}: do it or open an issue`),
    );

const SKIPPED =
  /(?<![.\w$])(?:it|test|describe|suite|bench)(?:\s*\.\s*\w+)*?\s*\.\s*(?:skip|only|todo)\b|(?<![.\w$])(?:xit|xtest|xdescribe|fit|fdescribe)\s*\(/g;

/** (i) Every test runs. */
export const skippedTests: Check = (files) =>
  files
    .filter((file) => isTest(file.path))
    .flatMap((file) =>
      hits(file, mask(file.text).code, SKIPPED, (word) => `${word}: every test runs, always`),
    );

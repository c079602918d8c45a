// Builds the console page into dist/console, once per hash of what it is made of; quick when nothing changed.
// A page that cannot be built never keeps the host from starting: one line says why, and the exit code stays 0
// unless --strict is given.
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { withProgress } from './progress.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const out = join(root, 'dist', 'console');
const STAMP = '.source-hash';
const strict = process.argv.includes('--strict');

const MADE_OF = ['src/console/**/*', 'src/attention/**/*.ts', 'src/protocol/**/*.ts'];
const AND = ['src/demo/guide.ts', 'vite.config.ts', 'package-lock.json', 'scripts/build-page.js'];

function sourceHash() {
  const paths = MADE_OF.flatMap((pattern) => globSync(pattern, { cwd: root, withFileTypes: true }))
    .filter((entry) => entry.isFile() && !/\.(?:test|fixture)\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .concat(AND.map((path) => join(root, path)))
    .toSorted();
  const hash = createHash('sha256');
  for (const path of paths) {
    const text = readFileSync(path);
    hash.update(`${path.slice(root.length)} ${text.length}\n`).update(text);
  }
  return hash.digest('hex');
}

function isFresh(hash) {
  const stamp = join(out, STAMP);
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === hash;
}

/** Built beside its place and moved there whole: a host that runs meanwhile never serves half a page. */
async function build(hash) {
  const made = join(root, 'dist', `.console-${process.pid}`);
  const old = `${made}-old`;
  try {
    // Whatever runs this may set it to something else, and React then comes in its slow, talkative form.
    process.env.NODE_ENV = 'production';
    const { build: viteBuild } = await import('vite');
    await viteBuild({
      root: join(root, 'src', 'console'),
      configFile: join(root, 'vite.config.ts'),
      logLevel: 'silent',
      build: { outDir: made },
    });
    writeFileSync(join(made, STAMP), hash);
    // Two may build at the same time: the first one's stands.
    if (isFresh(hash)) return;
    if (existsSync(out)) renameSync(out, old);
    renameSync(made, out);
  } catch (error) {
    if (!isFresh(hash)) throw error;
  } finally {
    for (const path of [made, old]) rmSync(path, { recursive: true, force: true });
  }
}

try {
  // An installed package has the built page and no sources.
  if (existsSync(join(root, 'src', 'console'))) {
    const hash = sourceHash();
    if (!isFresh(hash)) await withProgress('building the page', () => build(hash));
  }
} catch (error) {
  const lines = stripVTControlCharacters(String(error?.message ?? error)).split('\n');
  const line =
    lines.find((text) => text.trim() !== '' && !text.startsWith('Build failed')) ?? 'no reason given';
  console.error(
    `earshot: the console page could not be built (${line}). The host runs without it; to see all: npx vite build`,
  );
  if (strict) process.exitCode = 1;
}

// Prepares a release and stops before anybody can install it: a clean tree, every check, `npm version` (which dates the
// changelog and writes the version where code reads it), the tarball, what is in it, and the two commands that are left.
// --dry-run changes nothing and shows the same; --skip-checks goes with it.
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { unreleased } from './changelog.ts';

const ROOT = resolve(import.meta.dirname, '..');
const USAGE = 'Usage: npm run release -- patch|minor|major|VERSION [--dry-run [--skip-checks]]';

export interface PackedFile {
  path: string;
  size: number;
}

export interface Packed {
  filename: string;
  size: number;
  unpackedSize: number;
  files: readonly PackedFile[];
}

/** One line a folder, largest first, then the whole. */
export function inventory({ filename, size, unpackedSize, files }: Packed): string {
  const folders = Map.groupBy(files, ({ path }) => (path.includes('/') ? `${path.split('/')[0]}/` : path));
  const rows = [...folders]
    .map(([name, held]) => ({
      name,
      count: held.length,
      bytes: held.reduce((sum, file) => sum + file.size, 0),
    }))
    .toSorted((a, b) => b.bytes - a.bytes)
    .map(({ name, count, bytes }) => `  ${name.padEnd(18)}${kB(bytes).padStart(10)}  ${count} files`);
  return `${filename}: ${kB(size)} packed, ${kB(unpackedSize)} unpacked, ${files.length} files\n${rows.join('\n')}`;
}

function kB(bytes: number): string {
  return `${Math.ceil(bytes / 1_000).toLocaleString('en')} kB`;
}

function main(): void {
  const { values, positionals } = parseArgs({
    options: { 'dry-run': { type: 'boolean' }, 'skip-checks': { type: 'boolean' } },
    allowPositionals: true,
  });
  const { 'dry-run': dry = false, 'skip-checks': skip = false } = values;
  const [wanted] = positionals;
  if (wanted === undefined || positionals.length > 1) stop(2, USAGE);
  if (skip && !dry) stop(2, `--skip-checks goes with --dry-run: what is released was checked.\n${USAGE}`);

  const changed = output('git', 'status', '--porcelain');
  if (changed !== '' && !dry) stop(1, `the tree is not clean; commit or put away first:\n${changed}`);
  if (changed !== '') say(`the tree is not clean; a release would stop here:\n${changed}`);
  if (unreleased(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8')) === '')
    stop(1, 'CHANGELOG.md has nothing under "Unreleased": what is released?');
  if (!skip) must('npm', 'test');

  if (dry) say(`not done: npm version ${wanted}`);
  else must('npm', 'version', wanted, '--message', 'release: %s');
  // `npm pack` builds first, and says so on standard output.
  const text = output('npm', 'pack', '--json', ...(dry ? ['--dry-run'] : []));
  const [packed] = JSON.parse(text.slice(text.indexOf('[\n'))) as Packed[];
  if (packed === undefined) stop(1, 'npm pack made nothing');
  say(inventory(packed));
  const next = `npm publish ./${packed.filename}\n  git push --follow-tags`;
  if (dry)
    say(`nothing was changed. After a release (its number is in the file's name) you would run:\n  ${next}`);
  else
    say(`nothing is published yet. Try it: npm install ${join(ROOT, packed.filename)}\nThen run:\n  ${next}`);
}

function output(command: string, ...args: string[]): string {
  return ended(
    command,
    spawnSync(command, args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }),
  );
}

function must(command: string, ...args: string[]): void {
  say(`> ${command} ${args.join(' ')}`);
  ended(command, spawnSync(command, args, { cwd: ROOT, encoding: 'utf8', stdio: 'inherit' }));
}

function ended(command: string, { status, stdout }: SpawnSyncReturns<string>): string {
  if (status !== 0) stop(status ?? 1, `${command} failed, see above; nothing was published`);
  return stdout;
}

function say(text: string): void {
  console.log(`earshot: ${text}`);
}

function stop(code: number, problem: string): never {
  console.error(`earshot: ${problem}`);
  process.exit(code);
}

if (import.meta.main) main();

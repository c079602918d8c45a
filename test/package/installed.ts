// What a user gets: the package built and packed as a release does, then installed from the tarball by npm into an empty
// folder. And what the tests do there: run a program, start the host, lend it the optional packages.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import {
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';

const execute = promisify(execFile);
export const ROOT = join(import.meta.dirname, '..', '..');
const MODULES = join(ROOT, 'node_modules');

export interface Manifest {
  version: string;
  files: string[];
  exports: Record<string, unknown>;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  peerDependencies: Record<string, string>;
  peerDependenciesMeta: Record<string, { optional?: boolean }>;
}

export function manifest(folder = ROOT): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
}

export interface Ran {
  code: number;
  out: string;
  err: string;
}

export interface Installed {
  /** The user's own folder, with node_modules. */
  home: string;
  /** What npm says it has added. */
  packages: string[];
  /** As `du` counts it. */
  bytes: number;
}

/** Builds, packs, installs. The packed files are laid out beside the repository, whose own dist stays as it is. */
export async function install(): Promise<Installed> {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-package-'));
  const [packed, home] = [join(folder, 'packed'), join(folder, 'home')];
  mkdirSync(home);
  await execute(process.execPath, [join(ROOT, 'scripts/build.js'), '--out', join(packed, 'dist')]);
  for (const name of ['package.json', 'README.md', 'LICENSE', ...manifest().files])
    if (name !== 'dist') cpSync(join(ROOT, name), join(packed, name), { recursive: true });
  const { stdout } = await npm(packed, 'pack', '--ignore-scripts', '--json', '--pack-destination', folder);
  const [tarball] = JSON.parse(stdout) as { filename: string }[];
  writeFileSync(
    join(home, 'package.json'),
    JSON.stringify({ name: 'home', private: true, type: 'module', scripts: { which: 'node -v' } }),
  );
  await npm(
    home,
    'install',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    join(folder, tarball?.filename ?? ''),
  );
  const lock = JSON.parse(readFileSync(join(home, 'package-lock.json'), 'utf8')) as { packages: object };
  const packages = Object.keys(lock.packages).filter((path) => path !== '');
  return { home, packages, bytes: bytesOf(join(home, 'node_modules')) };
}

/** npm, in a folder, without what an `npm test` around this one tells its own children. */
export function npm(cwd: string, ...args: string[]): Promise<{ stdout: string; stderr: string }> {
  return npmWith({}, cwd, ...args);
}

export function npmWith(more: Record<string, string>, cwd: string, ...args: string[]) {
  const outer = process.env['npm_execpath'] ?? '';
  const [command, first] = basename(outer) === 'npm-cli.js' ? [process.execPath, [outer]] : ['npm', []];
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^npm_/i.test(name) || /^npm_config_(?:registry|cache|userconfig)$/i.test(name),
  );
  const env = { ...Object.fromEntries(kept), ...more };
  return execute(command, [...first, ...args], { cwd, env });
}

function bytesOf(folder: string): number {
  const all = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return all.reduce((sum, name) => sum + lstatSync(join(folder, name)).blocks * 512, 0);
}

/** A program or `earshot` itself, in the user's folder, to its end. */
export function run(home: string, argv: readonly string[], env: Record<string, string> = {}): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, argv, {
      cwd: home,
      env: own(env),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const said = collect(child);
    child.on('error', reject).on('close', (code) => resolve({ code: code ?? -1, ...said }));
  });
}

export const EARSHOT = join('node_modules', 'earshot', 'bin', 'earshot.js');

export interface Up {
  url: string;
  agentToken: string;
  /** Its exit code. */
  stop(): Promise<number>;
}

export async function up(home: string): Promise<Up> {
  const data = mkdtempSync(join(tmpdir(), 'earshot-up-'));
  const argv = [EARSHOT, 'up', '--json', '--no-demo', '--port', '0', '--data', data];
  const child = spawn(process.execPath, argv, { cwd: home, env: own({}), stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const said = collect(child);
  const exit = new Promise<number>((resolve) => {
    child.on('close', (code) => resolve(code ?? -1));
  });
  const first = new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve);
    void exit.then((code) => reject(new Error(`earshot up ended with ${code}: ${said.err}`)));
  });
  const { url } = JSON.parse(await first) as { url: string };
  const tokens = JSON.parse(readFileSync(join(data, 'tokens.json'), 'utf8')) as {
    agents: Record<string, string>;
  };
  return {
    url,
    agentToken: tokens.agents['lead'] ?? '',
    stop() {
      child.kill('SIGTERM');
      return exit;
    },
  };
}

/** Optional packages, as if the user had installed them: links to those that the repository has. */
export function lend(home: string, packages: readonly string[]): void {
  for (const name of packages) {
    const link = join(home, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(MODULES, name), link);
    onTestFinished(() => rmSync(link));
  }
}

/** What the type checker says about these files of the user's; empty when it is content. */
export async function typeErrors(home: string, files: readonly string[], options: object): Promise<string> {
  const config = join(home, 'tsconfig.json');
  writeFileSync(config, JSON.stringify({ compilerOptions: options, files }));
  const tsc = join(MODULES, 'typescript', 'bin', 'tsc');
  const { code, out } = await run(home, [tsc, '-p', config]);
  return code === 0 ? '' : out;
}

function collect(child: ChildProcess): { out: string; err: string } {
  const said = { out: '', err: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (said.out += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (said.err += text));
  return said;
}

function own(env: Record<string, string>): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...env };
}

// Installs a client from npm into a cache folder outside of the project, once. EARSHOT_CLIENTS_DIR names another folder.
// Install scripts do not run, except the one that a row names: it moves the program of this platform into its place.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Client } from './client.ts';

const INSTALL_MS = 600_000;

export interface Installed {
  version: string;
  /** Where its packages are. */
  packages: string;
  /** The folder with its programs. */
  bin: string;
}

/** What is installed, as a row says it. */
type Order = Pick<Client, 'version' | 'beside' | 'programs' | 'finish'>;

export function cacheFolder(): string {
  return process.env['EARSHOT_CLIENTS_DIR'] ?? join(homedir(), '.cache', 'earshot-clients');
}

export async function install(
  packageName: string,
  { version: wanted, beside = [], programs, finish }: Order = {},
): Promise<Installed> {
  const folder = join(cacheFolder(), packageName.replaceAll(/[@/]/g, '_'));
  const manifest = join(folder, 'node_modules', packageName, 'package.json');
  if (!existsSync(manifest)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
    const named = wanted === undefined ? packageName : `${packageName}@${wanted}`;
    const argv = ['install', '--ignore-scripts', '--no-audit', '--no-fund', named, ...beside];
    await promisify(execFile)('npm', argv, { cwd: folder, timeout: INSTALL_MS });
    if (finish !== undefined)
      await promisify(execFile)(process.execPath, [finish], { cwd: dirname(manifest), timeout: INSTALL_MS });
  }
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  const packages = join(folder, 'node_modules');
  const bin = programs === undefined ? join(packages, '.bin') : join(packages, packageName, programs);
  return { version, packages, bin };
}

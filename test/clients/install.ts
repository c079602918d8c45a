// Installs a client from npm into a cache folder outside of the project, once. EARSHOT_CLIENTS_DIR names another folder.
// Its own install scripts do not run: none of these programs needs them.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const INSTALL_MS = 600_000;

export interface Installed {
  version: string;
  /** The folder with its programs. */
  bin: string;
}

export function cacheFolder(): string {
  return process.env['EARSHOT_CLIENTS_DIR'] ?? join(homedir(), '.cache', 'earshot-clients');
}

export async function install(packageName: string, beside: readonly string[] = []): Promise<Installed> {
  const folder = join(cacheFolder(), packageName.replaceAll(/[@/]/g, '_'));
  const manifest = join(folder, 'node_modules', packageName, 'package.json');
  if (!existsSync(manifest)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
    const argv = ['install', '--ignore-scripts', '--no-audit', '--no-fund', packageName, ...beside];
    await promisify(execFile)('npm', argv, { cwd: folder, timeout: INSTALL_MS });
  }
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  return { version, bin: join(folder, 'node_modules', '.bin') };
}

// Builds what is published: the compiled sources and the page, into dist or the folder given with --out. What an earlier
// build left there goes first, so that no file of the past is published.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const dist = join(root, 'dist');
const { values } = parseArgs({ options: { out: { type: 'string', default: dist } } });
const out = resolve(values.out);
// The page is kept: it is built once per hash of its sources.
const PAGE = 'console';

function run(script, ...args) {
  const { status } = spawnSync(process.execPath, [join(root, script), ...args], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}

for (const name of existsSync(out) ? readdirSync(out) : [])
  if (name !== PAGE) rmSync(join(out, name), { recursive: true, force: true });
run('node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', '--outDir', out);
run('scripts/build-page.js', '--strict');
if (out !== dist) cpSync(join(dist, PAGE), join(out, PAGE), { recursive: true });

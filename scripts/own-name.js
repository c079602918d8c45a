// In a clone nothing is compiled, yet a program of somebody's own in its folder imports `earshot/agent`, as the README
// shows. What package.json exports under dist leads to the sources there, by one line each. A build replaces the lines.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

export function leadToSources() {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  for (const { default: compiled } of Object.values(exports)) {
    if (compiled === undefined) continue;
    const out = join(root, compiled);
    const source = join(root, compiled.replace('./dist/', './src/').replace(/\.js$/, '.ts'));
    if (existsSync(out) || !existsSync(source)) continue;
    mkdirSync(dirname(out), { recursive: true });
    writeFileSync(out, `export * from '${relative(dirname(out), source)}';\n`);
  }
}

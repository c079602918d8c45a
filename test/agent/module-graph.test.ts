// Importing `earshot/agent` loads no database driver, web server, platform SDK, schema library or Node module: the
// static import graph is walked, type imports aside, and then the import is timed in a process of its own.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importsOf } from '../architecture/imports.ts';

const ROOT = resolve(import.meta.dirname, '../..');

function walk(file: string, files: Set<string>, packages: Set<string>): void {
  if (files.has(file)) return;
  files.add(file);
  for (const { specifier, typeOnly } of importsOf(readFileSync(file, 'utf8'))) {
    if (typeOnly) continue;
    if (specifier.startsWith('.')) walk(join(dirname(file), specifier), files, packages);
    else packages.add(`${specifier} (${relative(ROOT, file)})`);
  }
}

describe('the module graph of earshot/agent', () => {
  it('holds our own files and nothing else', () => {
    const files = new Set<string>();
    const packages = new Set<string>();
    walk(join(ROOT, 'src/agent/index.ts'), files, packages);
    expect([...packages]).toEqual([]);
    const folders = new Set([...files].map((file) => relative(ROOT, file).split('/')[1]));
    expect(folders).toEqual(new Set(['agent', 'compose', 'protocol', 'runtime', 'transport']));
  });

  it('is loaded in a fraction of a second, also uncompiled', () => {
    const script = `const t = performance.now(); await import(${JSON.stringify(join(ROOT, 'src/agent/index.ts'))}); console.log(performance.now() - t)`;
    const ms = Number(
      execFileSync(process.execPath, ['--no-warnings', '--input-type=module', '-e', script], {
        encoding: 'utf8',
      }),
    );
    expect(ms).toBeLessThan(2_000);
  });
});

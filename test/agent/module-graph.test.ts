// Importing `earshot/agent` loads no database driver, web server, platform SDK, schema library or Node module: the
// static import graph is walked, type imports and `import()` aside. built.test.ts asks the loader the same of the compiled files.
import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importsOf } from '../architecture/imports.ts';

const ROOT = resolve(import.meta.dirname, '../..');

function walk(file: string, files: Set<string>, packages: Set<string>): void {
  if (files.has(file)) return;
  files.add(file);
  for (const { specifier, typeOnly, dynamic } of importsOf(readFileSync(file, 'utf8'))) {
    if (typeOnly || dynamic === true) continue;
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
});

// The page is built once per source, brings nothing that a strict content security policy refuses, and a fault in it
// never keeps the host from starting.
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { buildPage } from './build-page.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '..', '..');
const INDEX = join(ROOT, 'dist', 'console', 'index.html');

it('is built once per source hash', async () => {
  await buildPage();
  const first = statSync(INDEX).mtimeMs;
  await buildPage();
  expect(statSync(INDEX).mtimeMs).toBe(first);
});

it('holds no inline script, no inline style and no address of anybody else', async () => {
  await buildPage();
  const html = readFileSync(INDEX, 'utf8');
  expect(html).toMatch(/<script type="module"[^>]* src="\.\/assets\/[^"]+"><\/script>/);
  expect(html).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\sstyle=|https?:/);
});

it('says in one line why a page could not be built, and goes on', async () => {
  const copy = mkdtempSync(join(tmpdir(), 'earshot-page-'));
  for (const path of [
    'src/console',
    'src/attention',
    'src/protocol',
    'src/demo',
    'scripts',
    'vite.config.ts',
    'package.json',
    'tsconfig.json',
    'package-lock.json',
  ])
    cpSync(join(ROOT, path), join(copy, path), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  writeFileSync(join(copy, 'src', 'console', 'main.tsx'), "import './nowhere.ts';\n");
  const { stderr } = await run(process.execPath, [join(copy, 'scripts', 'build-page.js')], { cwd: copy });
  const [first, second, ...more] = stderr.trim().split('\n');
  expect([first, more]).toEqual(['earshot: building the page …', []]);
  expect(second).toMatch(/console page could not be built \(.*nowhere/);
});

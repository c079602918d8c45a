#!/usr/bin/env node
// The launcher, in plain JavaScript so that any Node can read it: says what is missing when Node is too old to run
// TypeScript, and caches compiled code so that the second start is faster.
import { existsSync } from 'node:fs';
import * as nodeModule from 'node:module';

const NEEDED = [22, 18];
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1])) {
  console.error(
    `earshot: needs Node ${NEEDED.join('.')} or later, this is ${process.versions.node}. ` +
      'Install a newer one from https://nodejs.org, or run `npm start` in a clone: it brings its own.',
  );
  process.exitCode = 2;
} else {
  nodeModule.enableCompileCache?.();
  // A clone runs its sources; an installed package has the compiled ones.
  const sources = new URL('../src/cli/main.ts', import.meta.url);
  await import(existsSync(sources) ? sources.href : new URL('../dist/cli/main.js', import.meta.url).href);
}

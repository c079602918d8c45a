// Writes src/runtime/manifest.ts: what package.json says and code needs to know, as a module, so that it is typed once
// and works from sources, compiled and bundled. `npm version` runs this; a test compares the two.
import { readFileSync, writeFileSync } from 'node:fs';

const { version, peerDependencies } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
);
const key = (name) => (/^\w+$/.test(name) ? name : `'${name}'`);
const peers = Object.entries(peerDependencies).map(
  ([name, range]) => `  ${key(name)}: ${/^\^(\d+)\./.exec(range)[1]},\n`,
);

export const manifest = `// Written by scripts/write-manifest.js from package.json: change it there. Holds what code needs to know of it.

export const VERSION = '${version}';

/** The major version of each optional peer that this version works with. */
export const PEER_MAJORS = {
${peers.join('')}} as const;
`;

if (process.argv[1]?.endsWith('write-manifest.js'))
  writeFileSync(new URL('../src/runtime/manifest.ts', import.meta.url), manifest);

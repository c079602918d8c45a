// Writes src/runtime/manifest.ts: what package.json says and code needs to know, as a module. So it is typed once, and is
// there from sources, compiled and bundled. `npm version` runs this; run it too when a peer's range has changed.
import { readFileSync, writeFileSync } from 'node:fs';

const MANIFEST = new URL('../src/runtime/manifest.ts', import.meta.url);

export interface PackageFacts {
  version: string;
  peerDependencies: Readonly<Record<string, string>>;
}

export function manifestFor({ version, peerDependencies }: PackageFacts): string {
  const majors = Object.entries(peerDependencies).map(
    ([name, range]) => `  ${/^\w+$/.test(name) ? name : `'${name}'`}: ${majorOf(name, range)},\n`,
  );
  return `// Written by scripts/write-manifest.ts from package.json: change it there. Holds what code needs to know of it.

export const VERSION = '${version}';

/** The major version of each optional peer that this version works with. */
export const PEER_MAJORS = {
${majors.join('')}} as const;
`;
}

function majorOf(name: string, range: string): string {
  const [, major] = /^\^([1-9]\d*)\.\d+\.\d+$/.exec(range) ?? [];
  if (major === undefined)
    throw new Error(`peerDependencies: ${name}: "${range}" is no range such as ^7.0.1`);
  return major;
}

export function writeManifest(): void {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  writeFileSync(MANIFEST, manifestFor(JSON.parse(text) as PackageFacts));
}

if (import.meta.main) writeManifest();

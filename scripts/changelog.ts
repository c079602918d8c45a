// The changelog's shape, as Keep a Changelog has it: what is unreleased stands first, and a release gives it a version and
// a date. `npm version` runs this, so that the commit of a version holds its changelog too.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { writeManifest } from './write-manifest.ts';

const UNRELEASED = '## [Unreleased]\n';

/** The lines under "Unreleased"; empty when nothing has changed. */
export function unreleased(changelog: string): string {
  const from = changelog.indexOf(UNRELEASED);
  if (from < 0) throw new Error(`CHANGELOG.md: there is no heading "${UNRELEASED.trim()}"`);
  const rest = changelog.slice(from + UNRELEASED.length);
  return rest.slice(0, /^## \[/m.exec(rest)?.index ?? rest.length).trim();
}

export function released(changelog: string, version: string, day: string): string {
  if (unreleased(changelog) === '') throw new Error('CHANGELOG.md: nothing stands under "Unreleased"');
  return changelog.replace(UNRELEASED, `${UNRELEASED}\n## [${version}] - ${day}\n`);
}

if (import.meta.main) {
  const { npm_package_version: version = '' } = process.env;
  const file = new URL('../CHANGELOG.md', import.meta.url);
  writeFileSync(file, released(readFileSync(file, 'utf8'), version, new Date().toISOString().slice(0, 10)));
  writeManifest();
  execFileSync('git', ['add', 'CHANGELOG.md', 'src/runtime/manifest.ts'], { stdio: 'inherit' });
}

// What package.json says, held to what the rest of the repository says: the version is typed once, peers are optional
// and pinned where a clone installs them, the pinned Node is there for every platform that is promised.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { released, unreleased } from '../../scripts/changelog.ts';
import { inventory } from '../../scripts/release.ts';
import { manifestFor } from '../../scripts/write-manifest.ts';
import { VERSION } from '../../src/runtime/manifest.ts';
import { manifest, ROOT } from './installed.ts';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const own = manifest();
const clone = manifest(join(ROOT, 'scripts', 'clone'));

describe('package.json', () => {
  it('is where the version and the ranges of peers are typed', () => {
    expect(read('src/runtime/manifest.ts')).toBe(manifestFor(own));
    const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' });
    const typed = files
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.fixture.ts'))
      .filter((name) => read(join('src', name)).includes(`'${VERSION}'`));
    expect(typed).toEqual([join('runtime', 'manifest.ts')]);
  });

  it('makes every peer optional, with a range that begins at what a clone or its tests install', () => {
    const optional = Object.keys(own.peerDependenciesMeta).filter(
      (name) => own.peerDependenciesMeta[name]?.optional === true,
    );
    expect(optional).toEqual(Object.keys(own.peerDependencies));
    const installed = { ...own.devDependencies, ...clone.dependencies };
    const pinned = Object.keys(own.peerDependencies).map((name) => [name, `^${installed[name]}`]);
    expect(Object.fromEntries(pinned)).toEqual(own.peerDependencies);
    expect(own.dependencies['zod']).toMatch(/^\^4\./);
  });

  it('says where to look, ask and report', () => {
    const { repository, homepage, bugs, keywords } = JSON.parse(read('package.json')) as {
      repository: { url: string };
      homepage: string;
      bugs: string;
      keywords: string[];
    };
    expect(repository.url).toBe(`git+${homepage.replace('#readme', '')}.git`);
    expect(bugs).toBe(homepage.replace('#readme', '/issues'));
    expect(keywords.length).toBeGreaterThan(5);
  });

  it('has an entry in the changelog, with a day', () => {
    expect(read('CHANGELOG.md')).toMatch(new RegExp(`^## \\[${VERSION}\\] - \\d{4}-\\d\\d-\\d\\d$`, 'm'));
    expect(() => unreleased(read('CHANGELOG.md'))).not.toThrow();
  });
});

it('the pinned Node is locked for Linux, macOS and Windows', () => {
  const { optionalDependencies } = JSON.parse(read('scripts/node/package.json')) as {
    optionalDependencies: Record<string, string>;
  };
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<
      string,
      { version: string; integrity?: string; os: string | string[]; cpu: string | string[] }
    >;
  };
  const platforms = Object.entries(optionalDependencies).map(([name, version]) => {
    const locked = packages[`node_modules/${name}`];
    expect([name, locked?.version]).toEqual([name, version]);
    expect(locked?.integrity).toMatch(/^sha512-/);
    return `${String(locked?.os)} ${String(locked?.cpu)}`;
  });
  expect(platforms.toSorted()).toEqual([
    'darwin arm64',
    'darwin x64',
    'linux arm64',
    'linux x64',
    'win32 x64',
  ]);
});

describe('a release', () => {
  const CHANGELOG = '# Changelog\n\n## [Unreleased]\n\n- new\n\n## [0.1.0] - 2026-11-16\n\n- old\n';

  it('gives what is unreleased a version and a day', () => {
    expect(unreleased(CHANGELOG)).toBe('- new');
    expect(released(CHANGELOG, '0.2.0', '2026-12-01')).toBe(
      '# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2026-12-01\n\n- new\n\n## [0.1.0] - 2026-11-16\n\n- old\n',
    );
  });

  it('is refused when nothing is unreleased', () => {
    const empty = CHANGELOG.replace('- new\n\n', '');
    expect(unreleased(empty)).toBe('');
    expect(() => released(empty, '0.2.0', '2026-12-01')).toThrow('nothing stands under "Unreleased"');
    expect(() => unreleased('# Changelog\n')).toThrow('no heading');
  });

  it('shows what would be published, by folder', () => {
    const files = [
      { path: 'dist/a.js', size: 3_000 },
      { path: 'README.md', size: 500 },
      { path: 'dist/b/c.js', size: 2_000 },
    ];
    expect(inventory({ filename: 'earshot-0.2.0.tgz', size: 1_500, unpackedSize: 5_500, files })).toBe(
      'earshot-0.2.0.tgz: 2 kB packed, 6 kB unpacked, 3 files\n' +
        '  dist/                   5 kB  2 files\n' +
        '  README.md               1 kB  1 files',
    );
  });

  it('needs peers with ranges that name a major version', () => {
    const facts = { version: '1.0.0', peerDependencies: { ai: '>=7' } };
    expect(() => manifestFor(facts)).toThrow('ai: ">=7" is no range such as ^7.0.1');
  });
});

// What is published is what works: the package is built and packed, unpacked elsewhere as an installed dependency,
// and the README's own example runs from it, without a TypeScript file in sight.
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..');
let home: string;
let installed: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'earshot-pack-'));
  installed = join(home, 'node_modules', 'earshot');
  await mkdir(installed, { recursive: true });
  const tsc = join(root, 'node_modules', '.bin', 'tsc');
  await run(tsc, ['-p', 'tsconfig.build.json', '--outDir', join(installed, 'dist')], { cwd: root });
  const published = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { files: string[] };
  for (const name of ['package.json', ...published.files.filter((file) => file !== 'dist')]) {
    await cp(join(root, name), join(installed, name), { recursive: true });
  }
  for (const dependency of await readdir(join(root, 'node_modules'))) {
    if (dependency.startsWith('.')) continue;
    await symlink(join(root, 'node_modules', dependency), join(home, 'node_modules', dependency));
  }
}, 120_000);

afterAll(() => rm(home, { recursive: true, force: true }));

function readmeExample(readme: string): string {
  const example = /```ts\n(import \{ attend,[\s\S]*?)```/.exec(readme)?.[1];
  if (example === undefined) throw new Error('the README has no example that imports attend');
  return example;
}

it('runs the README example of the fold from the installed package', async () => {
  const example = readmeExample(await readFile(join(root, 'README.md'), 'utf8'));
  const event = {
    eventId: 'e1',
    at: '2026-06-02T19:10:00Z',
    platform: 'slack',
    workspaceId: 'T1',
    conversation: { id: 'C1', kind: 'channel' },
    author: { id: 'U1', kind: 'human', displayName: 'Will' },
    type: 'message',
    text: '@lead is the deploy blocked?',
  };
  const record = { kind: 'event', seq: 1, at: 1, event, facts: {} };
  const program = `${example}\nconsole.log(JSON.stringify(decisions[0]));`;
  const prelude = `const event = ${JSON.stringify(event)};\nconst record = ${JSON.stringify(record)};\n`;
  const imports = program.split('\n').filter((line) => line.startsWith('import '));
  const rest = program.split('\n').filter((line) => !line.startsWith('import '));
  await writeFile(join(home, 'example.mjs'), [...imports, prelude, ...rest].join('\n'));
  const { stdout } = await run(process.execPath, ['example.mjs'], { cwd: home });
  expect(JSON.parse(stdout)).toMatchObject({ agent: 'lead', policy: 'must_respond', reason: 'mention' });
});

it('starts the installed command line from compiled files', async () => {
  const { stdout } = await run(process.execPath, [join(installed, 'bin', 'earshot.js'), '--version'], {
    cwd: home,
  });
  expect(stdout.trim()).toMatch(/\d+\.\d+\.\d+/);
});

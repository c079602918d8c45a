// The command as a process, in a folder of its own: from an export to a report, and into a pipe.
import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import type { Ran } from '../replay/fake-io.ts';
import { childEnv } from '../server/up.ts';
import { newFolder, zipped } from './made-export.ts';
import { makeSlackExport } from './slack-workspace.ts';

const MAIN = resolve('src/cli/main.ts');
const made = makeSlackExport(5, 800);

function run(cwd: string, argv: readonly string[], stdin = ''): Promise<Ran> {
  const child = spawn(process.execPath, [MAIN, ...argv], { cwd, env: childEnv({}) });
  const ran: Ran = { code: -1, out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (ran.out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (ran.err += text));
  child.stdin.on('error', () => {}).end(stdin);
  return new Promise((done, reject) => {
    child.on('error', reject).on('close', (code) => done({ ...ran, code: code ?? -1 }));
  });
}

it('writes a report with the agents of the folder’s earshot.yaml, or of the export', async () => {
  const folder = newFolder();
  copyFileSync(zipped(made.files), join(folder, 'export.zip'));
  const argv = ['import', 'slack', 'export.zip', '--report', 'report.html'];
  const first = await run(folder, argv);
  expect([first.code, first.err]).toEqual([0, '']);
  expect(first.out).toContain(`${made.expected.said} messages from 2026-10-01 to 2026-10-31\n`);
  expect(readFileSync(join(folder, 'report.html'), 'utf8')).toContain('data-agent="helper"');
  writeFileSync(join(folder, 'earshot.yaml'), 'agents:\n  - id: nova\n');
  const second = await run(folder, argv);
  expect(second.out).toContain('The agents and rules are those of earshot.yaml.');
  expect(readFileSync(join(folder, 'report.html'), 'utf8')).toContain('data-agent="nova"');
});

it('leaves nothing behind but what was asked for, and its lines are what replay reads', async () => {
  const folder = newFolder();
  const imported = await run(folder, ['import', 'slack', zipped(made.files), '--agent', 'Helper']);
  expect(imported.code).toBe(0);
  expect(existsSync(join(folder, 'report.html'))).toBe(false);
  writeFileSync(join(folder, 'c.yaml'), 'agents:\n  - id: helper\n    accounts: [U0A001]\n');
  const replayed = await run(folder, ['replay', '-', '--config', 'c.yaml', '--strict'], imported.out);
  const [, turns] = /helper: (\d+) turns/.exec(imported.err) ?? [];
  expect([replayed.code, replayed.err]).toEqual([0, '']);
  expect(replayed.out).toContain(`${turns} turns spent\n`);
});

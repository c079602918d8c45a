// The program that docs/runners/acp.md shows, taken from the page and run as it stands: a real host, a real process, a
// real agent under the name the page gives it. And what the page promises of bounds is what they are.
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { ACP_LIMITS } from '../../src/agent/runners/acp.ts';
import { upHere } from '../server/here.ts';
import { childEnv, message, until } from '../server/up.ts';

const page = readFileSync('docs/runners/acp.md', 'utf8');
/** Where the package's names lead once it is installed. */
const OURS: Readonly<Record<string, string>> = {
  'earshot/agent': 'src/agent/index.ts',
  'earshot/runners/acp': 'src/agent/runners/acp.ts',
};

it('docs/runners/acp.md', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-docs-'));
  const agent = resolve('test/runners/acp/agent.ts');
  writeFileSync(
    join(folder, 'claude-agent-acp'),
    `#!/bin/sh\nexec '${process.execPath}' '${agent}' '${folder}'\n`,
  );
  chmodSync(join(folder, 'claude-agent-acp'), 0o755);
  const code = /^```ts\n(.*?)^```/ms.exec(page)?.[1] ?? '';
  const linked = code.replaceAll(
    / from '([^']+)'/g,
    (_, name: string) => ` from '${pathToFileURL(resolve(OURS[name] ?? name)).href}'`,
  );
  writeFileSync(join(folder, 'agent.mts'), linked);
  const host = await upHere();
  const child = spawn(process.execPath, [join(folder, 'agent.mts')], {
    env: childEnv({
      PATH: `${folder}${delimiter}${process.env['PATH'] ?? ''}`,
      EARSHOT_URL: `${host.url}/c2a`,
      EARSHOT_TOKEN: host.tokens.agents['lead'] ?? '',
    }),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const end = (): void => void child.kill('SIGKILL');
  onTestFinished(end);
  await host.post(message('@lead !say are you there?'));
  const reply = await until(async () => {
    const { body } = await host.call('GET', '/v1/outbox', host.tokens.surfaces['dev']);
    return (body['messages'] as Record<string, unknown>[])[0];
  });
  expect(reply).toMatchObject({ text: 'I was asked: are you there?' });
  end();
  expect(await host.stop()).toBe(0);
});

it('and says the bounds as they are', () => {
  const { answerBytes, sessions, cancelGraceMs, permissionMs, permissionChars } = ACP_LIMITS;
  const { logLines, logLineChars } = ACP_LIMITS;
  const text = page.replace(/\s+/g, ' ');
  expect(text).toContain(`cut at ${answerBytes / 1_024} KiB`);
  expect(text).toContain(`At most ${sessions} sessions`);
  expect(text).toContain(`after ${cancelGraceMs / 1_000} seconds`);
  expect(text).toContain(`none within ${permissionMs / 60_000} minutes`);
  expect(text).toContain(`at most ${permissionChars} characters`);
  expect(text).toContain(`${logLines} lines per turn, ${logLineChars} characters each`);
});

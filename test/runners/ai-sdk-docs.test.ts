// The programs that the runners' pages show, taken from the pages and run as they stand: a real host, a real process.
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { upHere } from '../server/here.ts';
import { childEnv, message, type Listening, until } from '../server/up.ts';
import { startProvider } from './provider/server.ts';

/** Where the package's names lead once it is installed. */
const OURS: Readonly<Record<string, string>> = {
  'earshot/agent': 'src/agent/index.ts',
  'earshot/runners/ai-sdk': 'src/agent/runners/ai-sdk.ts',
  'earshot/runners/command': 'src/agent/runners/command.ts',
};

function example(page: string): string {
  const text = readFileSync(page, 'utf8');
  const code = /^```ts\n(.*?)^```/ms.exec(text)?.[1] ?? '';
  expect(code).not.toBe('');
  const linked = code.replaceAll(/ from '([^']+)'/g, (_, name: string) => {
    const ours = OURS[name];
    return ` from '${ours === undefined ? import.meta.resolve(name) : pathToFileURL(resolve(ours)).href}'`;
  });
  const file = join(mkdtempSync(join(tmpdir(), 'earshot-docs-')), 'agent.mts');
  writeFileSync(file, linked);
  return file;
}

function start(file: string, host: Listening, env: Record<string, string>): () => void {
  const child = spawn(process.execPath, [file], {
    env: childEnv({
      EARSHOT_URL: `${host.url}/c2a`,
      EARSHOT_TOKEN: host.tokens.agents['lead'] ?? '',
      ...env,
    }),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const end = (): void => void child.kill('SIGKILL');
  onTestFinished(end);
  return end;
}

async function reply(host: Listening): Promise<unknown> {
  return until(async () => {
    const { body } = await host.call('GET', '/v1/outbox', host.tokens.surfaces['dev']);
    return (body['messages'] as Record<string, unknown>[])[0];
  });
}

it('docs/runners/ai-sdk.md', async () => {
  const provider = await startProvider(({ nth, last, system }) =>
    nth === 1 && system.includes('deploys of Acme')
      ? { toolCalls: [{ name: 'deploy_state', input: { app: 'web' } }] }
      : `So far ${last}.`,
  );
  onTestFinished(() => provider.close());
  const host = await upHere();
  const end = start(example('docs/runners/ai-sdk.md'), host, {
    ANTHROPIC_BASE_URL: `${provider.anthropicUrl}/v1`,
    ANTHROPIC_API_KEY: provider.key,
  });
  const sent = message('@lead how is the deploy of web?');
  expect((await host.post(sent)).status).toBe(202);
  expect(await reply(host)).toMatchObject({ text: 'So far web is green.', replyTo: sent.eventId });
  expect(provider.refusals).toEqual([]);
  end();
  expect(await host.stop()).toBe(0);
});

it('docs/runners/command.md', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-docs-'));
  writeFileSync(join(folder, 'claude'), '#!/bin/sh\necho "claude $1 has read $(grep -c @lead) line"\n');
  chmodSync(join(folder, 'claude'), 0o755);
  const host = await upHere();
  const end = start(example('docs/runners/command.md'), host, {
    PATH: `${folder}${delimiter}${process.env['PATH'] ?? ''}`,
  });
  await host.post(message('@lead are you there?'));
  expect(await reply(host)).toMatchObject({ text: 'claude -p has read 1 line' });
  end();
  expect(await host.stop()).toBe(0);
});

// docs/runners/webhook.md and claude-agent-sdk.md: configuration parses, the request is a delivery, the code is the
// example's, and the handler of the page answers a real host.
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { parseHostConfig } from '../../src/cli/config.ts';
import { fullEnvelopeSchema } from '../../src/protocol/envelope.ts';
import { SIGNALS } from '../../src/protocol/vocabulary.ts';
import { upHere } from '../server/here.ts';
import { childEnv, folder, message, until } from '../server/up.ts';

const doc = readFileSync('docs/runners/webhook.md', 'utf8');
const block = (language: string, text = doc): string =>
  new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'ms').exec(text)?.[1] ?? '';

it('shows a configuration, a request and signals that are right', () => {
  expect(parseHostConfig(block('yaml'), 'webhook.md').host.webhooks).toHaveLength(1);
  const { params } = JSON.parse(block('json')) as { params: unknown };
  expect(fullEnvelopeSchema.safeParse(params).error?.issues).toBeUndefined();
  const row = doc.split('\n').find((line) => line.includes('{"react": "done"}')) ?? '';
  for (const signal of SIGNALS) expect(row).toContain(`\`${signal}\``);
});

it('shows the code of the examples', () => {
  expect(block('js')).toBe(readFileSync('examples/webhook/verify.mjs', 'utf8'));
  const page = readFileSync('docs/runners/claude-agent-sdk.md', 'utf8');
  const agent = readFileSync('examples/claude-agent-sdk/agent.ts', 'utf8');
  expect(block('ts', page)).toBe(agent.slice(agent.indexOf('import')));
});

/** A port that was free a moment ago: the page's program listens on the one it is told. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  const { port } = server.address() as { port: number };
  await new Promise((closed) => server.close(closed));
  return port;
}

it('shows a handler that answers', async () => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const port = await freePort();
  const [data, dir] = [folder(), folder()];
  writeFileSync(
    join(data, 'earshot.yaml'),
    `agents: [{ id: lead }]
host:
  webhooks: [{ agent: lead, url: "http://127.0.0.1:${port}", secret: "${secret}" }]
  limits: { retryBaseMs: 50 }
`,
  );
  const ours = pathToFileURL(resolve('src/agent/runners/webhook.ts')).href;
  writeFileSync(join(dir, 'server.mts'), block('ts').replace('earshot/runners/webhook', ours));
  const child = spawn(process.execPath, [join(dir, 'server.mts')], {
    env: childEnv({ WEBHOOK_SECRET: secret, PORT: String(port) }),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const host = await upHere({ data });
  await host.post(message('@lead are you there?'));
  const shown = await until(async () => {
    const { body } = await host.call('GET', '/v1/outbox', host.tokens.surfaces['dev']);
    return (body['messages'] as { text: string }[])[0];
  });
  expect(shown?.text).toMatch(/^Ada: I read \d+ characters\.$/);
  expect(await host.stop()).toBe(0);
});

// The dial in one conversation: what a notch would have done there last week, and who in the chat has moved it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { DialAnswer, DialMovesAnswer } from '../../src/protocol/settings-api.ts';
import { upHere } from './here.ts';
import { folder, type Listening, message } from './up.ts';
import { WEIGHED_SETTINGS, weighedLines } from './weighed-lines.ts';

async function talked(): Promise<Listening> {
  const data = folder();
  const config = join(data, 'earshot.yaml');
  writeFileSync(config, WEIGHED_SETTINGS);
  const host = await upHere({ data, config });
  await weighedLines(host, 4);
  return host;
}

const ask = async <T>(host: Listening, method: 'GET' | 'POST', path: string, body?: unknown): Promise<T> =>
  (await host.call(method, path, host.tokens.operator, body)).body as T;

it('last week is decided again for one conversation alone', async () => {
  const host = await talked();
  const words = async (body?: unknown): Promise<string | undefined> => {
    const { notches } = await ask<DialAnswer>(host, 'POST', '/v1/agents/lead/dial', body);
    return notches.find(({ notch }) => notch === 'quiet')?.words;
  };
  expect(await words()).toContain('left alone 4 × more');
  expect(await words({ conversation: 'room-2' })).toContain('left alone 1 × more');
  const { status } = await host.call('POST', '/v1/agents/lead/dial', host.tokens.operator, {
    conversation: 'nowhere',
  });
  expect(status).toBe(404);
});

it('what people ask in the chat is listed with who asked, until it is taken back', async () => {
  const host = await talked();
  const room = { conversation: { id: 'room-2', kind: 'channel', title: 'builds' } };
  const by = (id: string, displayName: string) => ({ ...room, author: { id, kind: 'human', displayName } });
  const moves = async () => (await ask<DialMovesAnswer>(host, 'GET', '/v1/dials')).moves;
  expect(await moves()).toEqual([]);
  await host.post([message('@lead be quieter here', by('ann', 'Ann')), message('thanks', by('bob', 'Bob'))]);
  expect(await moves()).toMatchObject([
    { agent: 'lead', notch: 'quiet', number: 20, by: 'Ann', conversation: { title: 'builds' } },
  ]);
  const [moved] = await moves();
  await ask(host, 'POST', '/v1/agents/lead/mode', { conversation: moved?.key, mode: 'auto' });
  expect(await moves()).toEqual([]);
});

// How the surfaces are, wherever an operator looks: the API, the metrics, the stream and doctor.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import type { SurfacesAnswer } from '../../src/protocol/operator-api.ts';
import { sourceSurface } from '../../src/surfaces/source/source.ts';
import type { SurfaceHealth, SurfaceHost } from '../../src/surfaces/surface.ts';
import { earshot } from '../replay/fake-io.ts';
import { type Fixture, fixture } from './fixture.ts';

async function withChat(): Promise<{ host: Fixture; says: (health: SurfaceHealth) => void }> {
  let given: SurfaceHost | undefined;
  const chat = {
    ...sourceSurface({ id: 'chat', platform: 'chat', maxChars: 4_000 }),
    start: (surfaceHost: SurfaceHost): Promise<void> => {
      given = surfaceHost;
      return Promise.resolve();
    },
  };
  const host = await fixture({ surfaces: [chat] });
  return { host, says: (health) => given?.health(health) };
}

const shown = async (host: Fixture) =>
  ((await host.call('GET', '/v1/surfaces', 'operator')).body as unknown as SurfacesAnswer).surfaces;

/** Commands take the token of a host elsewhere from the environment. */
async function asOperator<T>(run: () => Promise<T>): Promise<T> {
  process.env['EARSHOT_TOKEN'] = 'any';
  return run().finally(() => delete process.env['EARSHOT_TOKEN']);
}

const STATES: [health: (now: number) => SurfaceHealth, said: string, fix: RegExp | null, works: 0 | 1][] = [
  [() => ({ state: 'up', detail: 'as @lead in ACME' }), 'up: as @lead in ACME', null, 1],
  [
    () => ({ state: 'limited', missing: ['reactions:read', 'channel #ops'] }),
    'works in part; missing: reactions:read; channel #ops',
    /grant what is missing/,
    1,
  ],
  [
    (now) => ({ state: 'retrying', error: 'connect ECONNREFUSED', nextAt: now + 12_000 }),
    'out of reach: connect ECONNREFUSED; tried again in 12 s',
    /network/,
    0,
  ],
  [
    () => ({ state: 'down', error: 'token_revoked', fix: 'make a new token and set SLACK_TOKEN' }),
    'down: token_revoked',
    /^make a new token and set SLACK_TOKEN$/,
    0,
  ],
];

it.each(STATES)('says how a surface is, since when, and what to do: %#', async (health, said, fix, works) => {
  const { host, says } = await withChat();
  host.clock.advance(60_000);
  const now = host.clock.now();
  says(health(now));
  const surfaces = await shown(host);
  expect(surfaces.map(({ id, state }) => [id, state])).toEqual([
    ['earshot', 'up'],
    ['dev', 'up'],
    ['other', 'up'],
    ['chat', health(now).state],
  ]);
  const { fix: told, ...chat } = surfaces[3] ?? { fix: undefined };
  expect(chat).toMatchObject({ platform: 'chat', said });
  if (health(now).state !== 'up') expect(chat).toMatchObject({ since: new Date(now).toISOString() });
  if (fix === null) expect(told).toBeNull();
  else expect(told).toMatch(fix);
  const metrics = (await host.call('GET', '/metrics')).text;
  expect(metrics).toContain(`earshot_surface_up{surface="chat"} ${works}\n`);
  expect(metrics).toContain('earshot_surface_up{surface="dev"} 1\n');
});

it('is for operators', async () => {
  const { host } = await withChat();
  for (const who of ['dev', 'lead'] as const)
    expect((await host.call('GET', '/v1/surfaces', who)).status).toBe(403);
  expect((await host.call('GET', '/v1/surfaces')).status).toBe(401);
});

it('is news when it changes, and only then', async () => {
  const { host, says } = await withChat();
  const news: unknown[] = [];
  host.host.context.bus.listen((item) => void (item.type === 'surface' && news.push(item)));
  says({ state: 'up' });
  for (const nextAt of [1, 2]) says({ state: 'retrying', error: 'reset', nextAt });
  says({ state: 'up' });
  expect(news).toEqual([
    { type: 'surface', surface: 'chat', state: 'retrying' },
    { type: 'surface', surface: 'chat', state: 'up' },
  ]);
});

it('doctor names what does not work, and what to do', async () => {
  const { host, says } = await withChat();
  says({ state: 'down', error: 'token_revoked', fix: 'make a new token' });
  // The host has no socket, so its answers are passed on.
  const server = createServer((request, response) => {
    void host.call('GET', request.url ?? '/', 'operator').then(({ status, text }) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { code, out } = await asOperator(() => earshot(['doctor', '--url', url]));
  expect(out).toContain('ok  surface  earshot, dev, other: up\n');
  expect(out).toContain('!!  surface  chat: down: token_revoked; make a new token\n');
  expect(code).toBe(1);
});

// What a platform sends to its surface through the host: the bytes as they came, without a token. And its links.
import { expect, it } from 'vitest';
import { sourceSurface } from '../../src/surfaces/source/source.ts';
import type { Surface, SurfaceRequest } from '../../src/surfaces/surface.ts';
import { fixture, message } from './fixture.ts';

const got: SurfaceRequest[] = [];
const hooked: Surface = {
  ...sourceSurface({ id: 'chat', platform: 'dev', maxChars: 4_000 }),
  request(request) {
    got.push(request);
    const signed = request.headers['x-signature'] === 'good';
    return Promise.resolve(
      signed ? { status: 202, headers: { 'x-no-retry': '1' }, body: 'thanks' } : { status: 401 },
    );
  },
  fromLink: (link) =>
    link.startsWith('https://chat.example/')
      ? {
          place: { platform: 'dev', workspaceId: 'w', conversationId: 'general' },
          platformId: link.slice('https://chat.example/'.length),
        }
      : undefined,
};

it('hands the bytes to the surface and its answer to the platform', async () => {
  got.length = 0;
  const { server, clock } = await fixture({ surfaces: [hooked] });
  const payload = '{ "a" :1}  ';
  const answer = await server.app.inject({
    method: 'POST',
    url: '/v1/surfaces/chat/hooks/events?team=T1',
    headers: { 'x-signature': 'good', 'content-type': 'application/json' },
    payload,
  });
  expect([answer.statusCode, answer.headers['x-no-retry'], answer.body]).toEqual([202, '1', 'thanks']);
  expect(got.map(({ body, ...rest }) => ({ ...rest, body: Buffer.from(body).toString() }))).toMatchObject([
    { method: 'POST', path: 'hooks/events', query: 'team=T1', body: payload, receivedAt: clock.now() },
  ]);
  const form = await server.app.inject({
    method: 'POST',
    url: '/v1/surfaces/chat/act',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'payload=%7B%7D',
  });
  expect(form.statusCode).toBe(401);
  expect((await server.app.inject({ method: 'GET', url: '/v1/surfaces/chat/act' })).statusCode).toBe(401);
});

it('knows no other surface, and takes nothing too large', async () => {
  got.length = 0;
  const { server } = await fixture({ surfaces: [hooked] });
  const post = async (url: string, payload = 'x'): Promise<number> =>
    (await server.app.inject({ method: 'POST', url, payload })).statusCode;
  expect(await post('/v1/surfaces/nobody/act')).toBe(404);
  expect(await post('/v1/surfaces/dev/act')).toBe(404);
  expect(await post('/v1/surfaces/chat/act', 'x'.repeat(1_048_577))).toBe(413);
  expect(got).toEqual([]);
});

it('why takes a link of the platform', async () => {
  const host = await fixture({ surfaces: [hooked] });
  const sent = message('@lead can you look?');
  await host.call('POST', '/v1/events', 'dev', sent);
  const why = (link: string) => host.call('GET', `/v1/why/${encodeURIComponent(link)}`, 'operator');
  expect((await why(`https://chat.example/${sent.eventId}`)).body).toMatchObject({
    event: { eventId: sent.eventId },
  });
  expect((await why('https://chat.example/nothing')).status).toBe(404);
});

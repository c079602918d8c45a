// A token of ours that somebody writes in chat: it is revoked in the unit that stores the event, its connections are
// closed, and its owner's operator is told. Nothing but the whole token does that.
import { expect, it, describe } from 'vitest';
import { webSocketClient } from '../../src/transport/websocket-client.ts';
import { createPeer } from '../../src/transport/peer.ts';
import { TOKEN_KINDS } from '../../src/host/security/scopes.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { tokenKey } from '../../src/host/security/tokens.ts';
import { type WireHost, until, wireHost } from './host.ts';
import { harness } from './ways.ts';

const works = async (wire: WireHost, token: string): Promise<boolean> =>
  (await wire.call('GET', '/v1/tokens', token)).status !== 401;

const half = (token: string, between: string): string => token.slice(0, 20) + between + token.slice(20);

const leaks: Record<string, (wire: WireHost, token: string) => object> = {
  'in a text': (wire, token) => wire.event(`sign in here: http://127.0.0.1:7007/#token=${token} ok?`),
  'between letters': (wire, token) => wire.event(`x${token}`),
  'across lines': (wire, token) => wire.event(half(token, '\n> ')),
  'in disguise': (wire, token) => wire.event(half(token, '\u200b\u00ad')),
  'in a display name': (wire, token) => {
    const event = wire.event('hi');
    return { ...event, author: { ...event.author, displayName: token } };
  },
  'in an id': (wire, token) => ({ ...wire.event('hi'), eventId: `m-${token}` }),
  'in the name of an attachment': (wire, token) =>
    wire.event('hi', { more: { attachments: [{ id: 'F', kind: 'file', name: `${token}.txt` }] } }),
};

describe.each(Object.keys(leaks))('a token %s', (how) => {
  it('works no more once the event is stored, and the inbox says whose it was', async () => {
    const wire = await wireHost();
    const token = await wire.token('person', 'ana');
    const operator = await wire.token('operator', 'ops');
    expect(await works(wire, token)).toBe(true); // and it is in the cache now
    await wire.post(leaks[how]?.(wire, token) ?? {});
    expect(await works(wire, token)).toBe(false);
    const row = await wire.host.context.store.get('token', tokenKey(token));
    const [logged] = await wire.host.context.store.scan('log', 'byPosition', { limit: 1 });
    expect(row).toMatchObject({ leaked: true, revokedAt: logged?.at });
    const { body } = await wire.call('GET', '/v1/inbox?open=true', operator);
    expect(body['inbox']).toEqual([
      expect.objectContaining({
        kind: 'leaked_token',
        words: expect.stringContaining('earshot token create --kind person --subject ana') as string,
      }),
    ]);
    expect(JSON.stringify(body)).not.toContain(token.slice(6, 30));
  });
});

describe.each(TOKEN_KINDS)('a token of kind %s', (kind) => {
  it('is revoked when it is written, and others of its owner are not', async () => {
    const wire = await wireHost();
    const [token, other] = [await wire.token(kind, 'lead'), await wire.token('operator', 'ops')];
    await wire.say(`it is ${token}`);
    expect(await works(wire, token)).toBe(false);
    expect(await works(wire, other)).toBe(true);
  });
});

it('a guess, a part or another letter revokes nothing', async () => {
  const wire = await wireHost();
  const token = await wire.token('agent', 'lead');
  const last = token.at(-1) === 'a' ? 'b' : 'a';
  for (const text of [
    token.slice(0, -1),
    token.slice(0, -1) + last,
    token.replace('ear_a_', 'ear_p_'),
    token.toUpperCase(),
    `${token.slice(0, 30)} ${token.slice(30)}`,
    tokenKey(token),
  ])
    await wire.say(`it is ${text}`);
  expect(await works(wire, token)).toBe(true);
});

it('an agent whose token is written in chat is disconnected, whoever wrote it', async () => {
  const wire = await wireHost();
  const token = await wire.token('agent', 'lead');
  const transport = webSocketClient({ url: `${wire.url}/c2a`, token, clock: systemClock });
  const peer = createPeer(transport, { clock: systemClock });
  await peer.start();
  wire.finished(async () => peer.close());
  await peer.request('initialize', { protocolVersion: '2026-06-02', capabilities: {} });
  await wire.say(`psst: ${token}`);
  expect(await peer.closed).toBe('unauthorized');
});

it('what an agent itself says counts too, when people see it', async () => {
  const wire = await wireHost();
  const lead = await harness(wire, 'lead', 'pull');
  const token = await wire.token('person', 'ana');
  const asked = await wire.say('@lead how do I sign in?');
  await wire.pass(3_000);
  const seen = await lead.next(({ eventId }) => eventId === asked);
  expect((await lead.reply(seen, `Use ${token}.`)).ok).toBe(true);
  await wire.pass(1_000);
  await until(async () => ((await works(wire, token)) ? undefined : true), 'the token to be revoked');
});

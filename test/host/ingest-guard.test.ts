// A source tells what happened in chat and nothing else: it cannot act as an agent or make time pass.
import { afterEach, expect, it } from 'vitest';
import { type World, world } from './world.ts';

let w: World;
afterEach(async () => {
  expect(await w.sound()).toEqual([]);
});

const base = {
  at: 1_000,
  platform: 'web',
  workspaceId: 'w',
  conversation: { id: 'C1', kind: 'channel' },
};

it.each([
  ['a claim for an agent', { eventId: 'x1', type: 'claim', author: { id: 'lead', kind: 'agent' } }],
  [
    'the end of a turn',
    { eventId: 'x2', type: 'turn', phase: 'ended', author: { id: 'lead', kind: 'agent' } },
  ],
  ['a tick', { eventId: 'x3', type: 'tick', author: { id: 'U1', kind: 'human' } }],
])('refuses %s from a source and says why', async (_what, fields) => {
  w = await world();
  const [result] = await w.ingest({ ...base, ...fields });
  expect(result).toMatchObject({ status: 'refused', error: { code: 'invalid_event' } });
});

it.each(['web', 'earshot'])(
  'refuses what another source says in the name of the platform %s',
  async (platform) => {
    w = await world();
    const event = {
      ...base,
      platform,
      eventId: 'x',
      type: 'message',
      text: 'hi',
      author: { id: 'U1', kind: 'human' },
    };
    const [result] = await w.host.ingest([event], 'dev');
    expect(result).toMatchObject({
      status: 'refused',
      error: { message: expect.stringContaining('platform') },
    });
  },
);

it('takes a mode set by a person, and ids with slashes of their own', async () => {
  w = await world();
  const author = { id: 'U1', kind: 'human' };
  const results = await w.ingest(
    { ...base, eventId: 'acme/app#12/comment/7', type: 'message', text: 'hello', author },
    { ...base, eventId: 'm1', type: 'mode', mode: 'mention_only', agent: 'lead', author },
  );
  expect(results.map((result) => result.status)).toEqual(['accepted', 'accepted']);
});

// The host and its surfaces: what becomes of a send whose answer was lost, how other messages are named, and what a
// surface is told, remembers and says of itself.
import { afterEach, describe, expect, it } from 'vitest';
import { knownPlaces } from '../../src/host/surfaces/known-places.ts';
import { createSurfaceMemory } from '../../src/host/surfaces/surface-memory.ts';
import type { Surface, SurfaceCapabilities, SurfaceHost } from '../../src/surfaces/surface.ts';
import { type World, type WorldOptions, world } from './world.ts';

let w: World;
afterEach(async () => expect(await w.sound()).toEqual([]));

const can =
  (change: Partial<SurfaceCapabilities>): NonNullable<WorldOptions['surface']> =>
  (surface) => ({ ...surface, capabilities: { ...surface.capabilities, ...change } });

async function asked(text: string): Promise<string> {
  const id = await w.say(text);
  await w.advance(2_500);
  return id;
}

const MINUTE = 60_000;

describe('a send whose answer was lost', () => {
  it('and that nobody can look up is not sent again: agent and inbox are told, and the next one goes on', async () => {
    w = await world();
    const lead = await w.harness('lead');
    const first = await asked('@lead is it green?');
    w.platform.script = ['unknowable'];
    const outcome = await lead.reply(first, 'It is green.');
    expect(outcome).toMatchObject({ ok: false, error: 'outcome_lost' });
    const second = await asked('@lead and the other?');
    expect(await lead.reply(second, 'That too.')).toMatchObject({ ok: true });
    await w.advance(200 * MINUTE);
    expect(w.texts()).toEqual(['It is green.', 'That too.']);
    expect(w.platform.posts).toHaveLength(2);
    expect((await w.inbox()).map(({ kind }) => kind)).toEqual(['lost_send']);
    expect(await w.ended(first)).toBe('responded');
  });

  it('is unknowable after a crash where the platform cannot be asked', async () => {
    w = await world({ surface: can({ findable: false }) });
    const lead = await w.harness('lead');
    const id = await asked('@lead is it green?');
    w.platform.script = ['hang'];
    void lead.reply(id, 'It is green.');
    await w.advance(10);
    await w.crash(1_000);
    await w.advance(MINUTE);
    expect(w.platform.finds).toEqual([]);
    expect((await w.outbox())[0]).toMatchObject({ state: 'lost' });
    expect((await w.inbox()).map(({ kind }) => kind)).toEqual(['lost_send']);
  });

  it.each([
    ['is posted again while the platform drops a second one', MINUTE, []],
    ['is looked for first when it is too old for that', 1_000, ['lead:k1']],
  ])('%s', async (_, idempotentForMs, looked) => {
    w = await world({ surface: can({ idempotentForMs }) });
    w.platform.idempotentPosts = true;
    const lead = await w.harness('lead');
    const id = await asked('@lead is it green?');
    w.platform.script = ['hang'];
    void lead.reply(id, 'It is green.', { idempotencyKey: 'k1' });
    await w.advance(10);
    await w.crash(5_000);
    await w.advance(MINUTE);
    expect(w.texts()).toEqual(['It is green.']);
    expect(w.platform.finds).toEqual(looked);
  });

  it('and that is refused when it is posted again is lost: the first post may have been shown', async () => {
    w = await world({ surface: can({ idempotentForMs: Infinity }) });
    w.platform.idempotentPosts = true;
    const lead = await w.harness('lead');
    const id = await asked('@lead is it green?');
    w.platform.script = ['unknown_shown', 'retry', 'refused'];
    void lead.reply(id, 'It is green.');
    await w.advance(MINUTE);
    expect((await w.outbox())[0]).toMatchObject({ state: 'lost' });
    expect((await w.inbox()).map(({ kind }) => kind)).toEqual(['lost_send']);
    await w.advance(10 * MINUTE);
    expect(lead.turns).toHaveLength(1);
    expect(w.texts()).toEqual(['It is green.']);
  });
});

it('what is refused because the login is dead is kept and posted when it works again', async () => {
  w = await world();
  const lead = await w.harness('lead');
  const id = await asked('@lead is it green?');
  w.platform.script = Array.from({ length: 20 }, () => 'account' as const);
  void lead.reply(id, 'It is green.');
  await w.advance(20 * 30_000 - 1_000);
  expect(w.texts()).toEqual([]);
  expect(await w.inbox()).toEqual([]);
  await w.advance(MINUTE);
  expect(w.texts()).toEqual(['It is green.']);
});

it('a reply and a reaction name an agent’s own post by the platform’s id', async () => {
  w = await world({ agents: [{ id: 'lead' }, { id: 'builder', lead: 'lead' }] });
  const lead = await w.harness('lead');
  const builder = await w.harness('builder');
  const id = await asked('@lead who builds it?');
  await lead.reply(id, '@builder can you build it?', { recipient: 'agent:builder', directedness: 'to_me' });
  await w.advance(2_500);
  const task = builder.got.at(-1)?.eventId ?? '';
  await builder.reply(task, 'It is built.');
  await w.advance(1_000);
  expect(w.platform.posts.map(({ replyTo }) => replyTo?.platformId)).toEqual([id, 'p1']);
  await builder.call('chat.react', { inReplyTo: task, signal: 'done' });
  await w.advance(1_000);
  expect(w.platform.reactions.at(-1)?.target).toEqual({ eventId: task, platformId: 'p1' });
});

const broken = (surface: Surface): Surface => ({
  ...surface,
  start: () => Promise.reject(new Error('a fault of the adapter')),
});

describe('a surface', () => {
  it('that cannot start keeps the host up, and says what to do', async () => {
    w = await world({ surface: broken });
    expect(w.host.surfaces.all()).toMatchObject([
      { surface: 'earshot', state: 'up' },
      {
        surface: 'web',
        state: 'down',
        error: 'a fault of the adapter',
        fix: expect.stringMatching(/Restart/),
      },
    ]);
    expect(w.errors.splice(0)).toHaveLength(1);
    await w.say('the others work');
  });

  it('says how it is, and since when', async () => {
    let host: SurfaceHost | undefined;
    const start = (given: SurfaceHost): Promise<void> => {
      host = given;
      return Promise.resolve();
    };
    w = await world({ surface: (surface) => ({ ...surface, start }) });
    await w.advance(MINUTE);
    const at = w.clock.now();
    host?.health({ state: 'retrying', error: 'reset', nextAt: at + 1_000 });
    await w.advance(MINUTE);
    host?.health({ state: 'retrying', error: 'refused', nextAt: at + 2_000 });
    expect(w.host.surfaces.all()[1]).toMatchObject({ state: 'retrying', error: 'refused', since: at });
    host?.health({ state: 'up' });
    expect(w.host.surfaces.all()[1]).toEqual({
      surface: 'web',
      platform: 'web',
      state: 'up',
      since: at + MINUTE,
      ignored: {},
    });
    host?.ignored('app_home_opened');
    host?.ignored('app_home_opened');
    for (let n = 0; n < 200; n++) host?.ignored(`type-${n}`);
    const counted = w.host.surfaces.all()[1]?.ignored ?? {};
    expect(counted).toMatchObject({ app_home_opened: 2, 'type-0': 1, others: 101 });
    expect(Object.keys(counted)).toHaveLength(101);
  });

  it('remembers small values across a crash, each surface its own', async () => {
    w = await world();
    await createSurfaceMemory(w.host.context, 'web').set('offset', '41');
    await createSurfaceMemory(w.host.context, 'web').set('offset', '42');
    await w.crash();
    expect(await createSurfaceMemory(w.host.context, 'web').get('offset')).toBe('42');
    expect(await createSurfaceMemory(w.host.context, 'other').get('offset')).toBeUndefined();
    await expect(
      createSurfaceMemory(w.host.context, 'web').set('offset', 'x'.repeat(10_001)),
    ).rejects.toThrow(/10000 characters/);
  });

  it('knows where it was heard last, the latest first, without what the host itself wrote', async () => {
    w = await world();
    const lead = await w.harness('lead');
    await w.say('first', { in: 'C2' });
    await w.advance(1_000);
    const id = await asked('@lead second');
    await lead.reply(id, 'an answer');
    await w.advance(1_000);
    const places = await knownPlaces(w.store, 'web', 10);
    expect(places.map(({ place, newest }) => [place.conversationId, newest.eventId])).toEqual([
      ['C1', id],
      ['C2', 'e1'],
    ]);
    expect(await knownPlaces(w.store, 'web', 1)).toHaveLength(1);
    expect(await knownPlaces(w.store, 'earshot', 10)).toEqual([]);
  });
});

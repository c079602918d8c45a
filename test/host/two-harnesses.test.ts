// Two harnesses of one agent: the first was away for a moment, the other got what the first works on, and the first is back.
// What it says of its turn counts, and nothing stays open with the other one, which is gone.
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Harness, HarnessOptions } from './harness.ts';
import { type World, world } from './world.ts';

let w: World;
afterEach(async () => {
  expect(await w.sound()).toEqual([]);
});

/** The first begins turn `t1` about these lines, the other takes over and does this, and the first comes back. */
async function awayDuring(
  ids: readonly string[],
  first: Harness,
  meanwhile: (other: Harness) => Promise<unknown>,
  options: HarnessOptions = {},
) {
  await first.start('t1', ...ids);
  const other = await w.harness('lead', options);
  await w.drain();
  expect(other.got.map(({ eventId }) => eventId)).toEqual(ids);
  await meanwhile(other);
  const back = await w.harness('lead', { holding: ids });
  await w.drain();
  expect([other.closed, back.got]).toEqual(['fenced', []]);
  return back;
}

/** Begins, and the host never hears that it was acknowledged. The turn of the first is fenced then. */
const AT_ONCE: HarnessOptions = {
  onDeliver: ({ eventId }, harness) => {
    void harness.start('t2', eventId);
    return 'ignore';
  },
};

const nothing = (): Promise<void> => Promise.resolve();

describe('what the other one accepted and never began', () => {
  it('ends with the turn of the first that answers it', async () => {
    w = await world();
    const first = await w.harness('lead');
    const id = await w.say('@lead can you check?');
    const back = await awayDuring([id], first, nothing);
    expect((await back.call('chat.send_message', answerTo(id, 't1'))).ok).toBe(true);
    await back.end('t1', 'answered');
    expect(await w.ended(id)).toBe('responded');
    expect(w.texts()).toEqual(['It is fine.']);
  });

  it.each([
    ['silent', 'reminder-3'],
    ['answered', 'reminder-3'],
    ['failed', 'retry-3'],
  ] as const)('is asked again when that turn ends as %s without an answer', async (outcome, again) => {
    w = await world();
    const first = await w.harness('lead');
    const id = await w.say('@lead can you check?');
    const back = await awayDuring([id], first, nothing);
    await back.end('t1', outcome);
    await w.advance(5_000);
    expect(back.turns.map(({ eventId }) => eventId)).toEqual([`${id}/${again}`]);
  });

  it('stays with the first when that turn is cancelled', async () => {
    w = await world();
    const first = await w.harness('lead');
    const id = await w.say('@lead can you check?');
    const back = await awayDuring([id], first, nothing);
    expect(await back.end('t1', 'cancelled')).toEqual({ sendsCommitted: 0 });
    expect(await w.ended(id)).toBe('accepted');
    await back.start('t2', id);
    expect((await back.call('chat.send_message', answerTo(id, 't2'))).ok).toBe(true);
    expect(await w.ended(id)).toBe('responded');
  });
});

describe('what the other one had begun', () => {
  it('is asked again when the turn of the first ends, which may say nothing any more', async () => {
    w = await world();
    const first = await w.harness('lead');
    const id = await w.say('@lead can you check?');
    const back = await awayDuring([id], first, (other) => other.start('t2', id));
    expect(await back.call('chat.send_message', answerTo(id, 't1'))).toMatchObject({ error: 'fenced' });
    await back.end('t1', 'silent');
    await w.advance(0);
    expect(back.turns.map(({ eventId }) => eventId)).toEqual([`${id}/retry-3`]);
  });

  it('is asked again if the turn of the first was fenced: that may say nothing any more', async () => {
    w = await world();
    const first = await w.harness('lead');
    const id = await w.say('@lead can you check?');
    const back = await awayDuring([id], first, nothing, AT_ONCE);
    expect(await back.call('chat.send_message', answerTo(id, 't1'))).toMatchObject({ error: 'fenced' });
    await back.end('t1', 'silent');
    await w.advance(0);
    const [again] = back.turns.map(({ eventId }) => eventId);
    expect(again).toBe(`${id}/retry-2`);
    // Said once more, the end of the first turn asks for nothing.
    await back.end('t1', 'silent');
    await back.start('t3', String(again));
    expect((await back.call('chat.send_message', answerTo(String(again), 't3'))).ok).toBe(true);
    await back.end('t3', 'answered');
    await w.advance(600_000);
    expect(back.turns).toHaveLength(1);
    expect(w.texts()).toEqual(['It is fine.']);
  });

  it('stays with the first if its fenced turn is cancelled, to be begun again', async () => {
    w = await world();
    const first = await w.harness('lead');
    const id = await w.say('@lead can you check?');
    const back = await awayDuring([id], first, nothing, AT_ONCE);
    await back.end('t1', 'cancelled');
    expect(await back.start('t3', id)).toMatchObject({ superseded: [] });
    expect((await back.call('chat.send_message', answerTo(id, 't3'))).ok).toBe(true);
    expect(await w.ended(id)).toBe('responded');
  });

  it('is asked again also if the host went down meanwhile and knows no session of before', async () => {
    w = await world();
    const first = await w.harness('lead');
    const id = await w.say('@lead can you check?');
    await first.start('t1', id);
    await w.harness('lead', AT_ONCE);
    await w.drain();
    await w.crash();
    const back = await w.harness('lead', { holding: [id] });
    await back.end('t1', 'silent');
    await w.advance(0);
    expect(back.turns.map(({ eventId }) => eventId)).toEqual([`${id}/retry-2`]);
  });

  it('is done if the other one had answered', async () => {
    w = await world();
    const first = await w.harness('lead');
    const ids = [await w.say('@lead can you check?'), await w.say('@lead and this?')];
    const back = await awayDuring(ids, first, async (other) => {
      await other.start('t2', ...ids);
      await other.reply(String(ids[0]), 'Both are fine.', { turnId: 't2' });
    });
    await back.end('t1', 'silent');
    await w.advance(600_000);
    expect([await w.ended(String(ids[0])), await w.ended(String(ids[1]))]).toEqual([
      'responded',
      'responded',
    ]);
    expect(back.turns).toEqual([]);
    expect(w.texts()).toEqual(['Both are fine.']);
  });

  it('is asked again with what the other one had only accepted', async () => {
    w = await world();
    const first = await w.harness('lead');
    const ids = [await w.say('@lead can you check?'), await w.say('@lead and this?')];
    const [one = '', two = ''] = ids;
    const back = await awayDuring(ids, first, (other) => other.start('t2', one));
    expect(await back.call('chat.send_message', answerTo(two, 't1'))).toMatchObject({ error: 'fenced' });
    await back.end('t1', 'answered');
    await w.advance(0);
    expect(back.turns.map(({ eventId }) => eventId)).toEqual([`${one}/retry-3`, `${two}/retry-3`]);
  });

  it('and put off comes back at its time, and only then', async () => {
    w = await world();
    const first = await w.harness('lead');
    const ids = [await w.say('@lead can you check?'), await w.say('@lead and this?')];
    const [one = '', two = ''] = ids;
    const back = await awayDuring(ids, first, async (other) => {
      await other.start('t2', ...ids);
      for (const inReplyTo of ids)
        await other.call('chat.defer', { inReplyTo, reason: 'busy', ttlMs: 60_000, turnId: 't2' });
      await other.end('t2', 'silent');
    });
    expect(await back.call('chat.send_message', answerTo(two, 't1'))).toMatchObject({ error: 'fenced' });
    await back.end('t1', 'silent');
    expect(back.turns).toEqual([]);
    await w.advance(60_000);
    expect(back.turns.map(({ eventId }) => eventId)).toEqual([`${one}/lapsed-3`, `${two}/lapsed-3`]);
  });

  it('is its own as long as it is there', async () => {
    w = await world();
    const first = await w.harness('lead');
    const id = await w.say('@lead can you check?');
    await first.start('t1', id);
    const other = await w.harness('lead');
    await w.drain();
    await other.start('t2', id);
    // A call of the first that was under way when its session ended.
    await w.host.sessionDeps.turns.end('lead', 't1', 'silent', {}, { epoch: 1, begun: new Set(['t1']) });
    await other.end('t1', 'silent');
    expect(await w.ended(id)).toBe('turn_taken');
    expect((await other.reply(id, 'It is fine.', { turnId: 't2' })).ok).toBe(true);
    await w.advance(600_000);
    expect(other.turns).toHaveLength(1);
  });
});

describe('what the first was sending when the other took over', () => {
  it('is refused: the other one has the question, and one answers', async () => {
    w = await world();
    const first = await w.harness('lead');
    const id = await w.say('@lead can you check?');
    await first.start('t1', id);
    const { store } = w.host.context;
    const get = store.get.bind(store);
    const mayRead = Promise.withResolvers<void>();
    vi.spyOn(store, 'get').mockImplementationOnce(async (table, key) => {
      await mayRead.promise;
      return get(table, key);
    });
    const sending = first.call('chat.send_message', answerTo(id, 't1'));
    const other = await w.harness('lead');
    await w.drain();
    mayRead.resolve();
    expect(await sending).toMatchObject({ ok: false });
    await w.drain();
    expect(w.texts()).toEqual([]);
    await other.start('t2', id);
    expect((await other.reply(id, 'It is.', { turnId: 't2' })).ok).toBe(true);
    expect(w.texts()).toEqual(['It is.']);
  });

  it('is sent if it says so again when it is back', async () => {
    w = await world();
    const first = await w.harness('lead');
    const id = await w.say('@lead can you check?');
    const back = await awayDuring([id], first, nothing);
    const answer = answerTo(id, 't1');
    expect(await back.call('chat.send_message', answer)).toMatchObject({ result: { replayed: false } });
    expect(await back.call('chat.send_message', answer)).toMatchObject({ result: { replayed: true } });
  });
});

function answerTo(inReplyTo: string, turnId: string): Record<string, unknown> {
  return {
    target: 'channel:C1',
    text: 'It is fine.',
    inReplyTo,
    turnId,
    visibility: 'channel',
    directedness: 'to_me',
    recipient: 'human:ada',
    idempotencyKey: `${turnId}:1`,
  };
}

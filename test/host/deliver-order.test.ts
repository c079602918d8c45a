// The order of a conversation, while the store takes its time to answer: what is read for an earlier delivery must not let
// a later one pass.
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Handed } from './harness.ts';
import { holdReads } from './hold-reads.ts';
import { type World, world } from './world.ts';

let w: World;
afterEach(async () => {
  vi.restoreAllMocks();
  expect(await w.sound()).toEqual([]);
});

const ids = (events: readonly Handed[]): string[] => events.map(({ eventId }) => eventId);
const THREAD = { in: 'T1', kind: 'thread', parent: 'C1' } as const;

describe('while the backlog of a new session is read', () => {
  it('what is said waits for what was said before, however long that takes to look up', async () => {
    w = await world();
    const page = holdReads(w, 'scan', (table, index) => table === 'delivery' && index === 'openByAgent');
    const lead = await w.harness('lead');
    const one = await w.say('@lead can you check the deploy?');
    const rows = holdReads(w, 'get', (table, key) => table === 'delivery' && key.startsWith(one));
    await page.end();
    expect(rows.count).toBe(1);
    const two = await w.say('@lead and the logs?', { by: 'bob' });
    await rows.end();
    expect(ids(lead.got)).toEqual([one, two]);
  });

  it('what its page shows as held and becomes ready meanwhile is handed over', async () => {
    w = await world();
    const first = await w.harness('lead');
    await first.call('chat.focus', { ttlMs: 5_000 });
    const one = await w.say('@lead can you check the deploy?');
    expect((await w.delivery(one))?.state).toBe('held');
    first.close();
    await w.advance(10);
    const page = holdReads(w, 'scan', (table, index) => table === 'delivery' && index === 'openByAgent');
    const second = await w.harness('lead');
    await w.advance(6_000);
    expect((await w.delivery(one))?.state).toBe('queued');
    await page.end();
    expect(ids(second.got)).toEqual([one]);
  });
});

describe('a delivery that must be read first', () => {
  const DEADLINE_MS = 5_000;
  const asked = async () => {
    w = await world({ attention: { limits: { deadlineMs: DEADLINE_MS } } });
    const lead = await w.harness('lead');
    const one = await w.say('@lead can you check the deploy?');
    // It is asked again when its deadline has passed, and its event is read for that.
    const reads = holdReads(w, 'get', (table, key) => table === 'log' && key === one, 1);
    await w.advance(DEADLINE_MS);
    expect(reads.count).toBe(1);
    return { lead, one, again: `${one}/expired-2`, reads };
  };

  it('keeps its place before what is said in its conversation meanwhile, and holds up no other', async () => {
    const { lead, one, again, reads } = await asked();
    const two = await w.say('@lead and the logs?');
    const elsewhere = await w.say('@lead hello?', { in: 'C2' });
    expect(ids(lead.fresh)).toEqual([one, elsewhere]);
    await reads.end();
    expect(ids(lead.fresh)).toEqual([one, elsewhere, again, two]);
  });

  it('is not handed over if it ends meanwhile', async () => {
    const { lead, one, reads } = await asked();
    const two = await w.say('@lead and the logs?');
    await w.remove(one);
    await reads.end();
    expect(ids(lead.fresh)).toEqual([one, two]);
  });
});

describe('a knock', () => {
  it('comes before what is said after it, however long it takes to see what else waits', async () => {
    w = await world({ agents: [{ id: 'lead' }, { id: 'builder' }] });
    const lead = await w.harness('lead');
    const builder = await w.harness('builder');
    const first = await w.say('@lead shall we ship?', THREAD);
    await lead.reply(first, 'Yes.');
    const second = await w.say('@builder is it built?', THREAD);
    await builder.reply(second, 'I built it this morning.');
    const before = lead.got.length;
    const reads = holdReads(
      w,
      'scan',
      (table, index) => table === 'delivery' && index === 'byAgentConversation',
    );
    const knock = await w.say('what about the migration?', { ...THREAD, by: 'bob' });
    expect(reads.count).toBe(1);
    const after = await w.say('@lead and you?', { ...THREAD, by: 'carol' });
    expect(lead.got).toHaveLength(before);
    await reads.end();
    const got = lead.got.slice(before);
    expect(ids(got)).toEqual([knock, after]);
    expect(got[0]?.injection.mode).toBe('notify');
  });
});

// Somebody sets the machine's clock while work is under way: sends, claims, offers, retries and debts go on. A wait takes at
// most twice as long as it would have, and nothing happens twice.
import { describe, expect, it } from 'vitest';
import { unpackDecisions } from '../../src/host/kernel/log-row.ts';
import { Refold } from '../../src/host/operator/refold.ts';
import { type World, world } from './world.ts';

const HOUR = 3_600_000;
const BACK = [
  ['an hour', HOUR],
  ['two days', 48 * HOUR],
] as const;
const LIVES = ['goes on', 'restart', 'crash'] as const;
const CASES = BACK.flatMap(([name, ms]) => LIVES.map((life) => [name, life, ms] as const));

async function setBack(w: World, life: (typeof LIVES)[number], ms: number): Promise<void> {
  w.clock.jump(-ms);
  if (life !== 'goes on') await w[life]();
}

describe.each(CASES)('the clock is set back by %s (%s)', (_, life, backMs) => {
  it('a send that waits for its next try is posted, and so is what is said next', async () => {
    const w = await world();
    const lead = await w.harness('lead');
    const id = await w.say('@lead are you there?');
    w.platform.script = ['retry'];
    void lead.reply(id, 'I am');
    await w.drain();
    expect(w.texts()).toEqual([]);
    await setBack(w, life, backMs);
    await w.advance(2_000); // twice the first pause, with its jitter
    expect(w.texts()).toEqual(['I am']);
    const again = await w.harness('lead');
    await again.reply(await w.say('@lead and now?', { in: 'C2' }), 'still');
    expect(w.texts()).toEqual(['I am', 'still']);
    expect(await w.sound()).toEqual([]);
  });

  it('an offer goes to the next holder, and a claim that runs out is given up', async () => {
    const agents = [
      { id: 'a', roles: ['ops'] },
      { id: 'b', roles: ['ops'] },
    ];
    const w = await world({ agents, settings: { limits: { offerMs: 30_000 } } });
    const first = [await w.harness('a'), await w.harness('b')];
    const offered = await w.say('@ops anybody?');
    const holder = first.find(({ turns }) => turns.length > 0);
    const other = holder?.agent === 'a' ? 'b' : 'a';
    await setBack(w, life, backMs);
    if (life !== 'goes on') first.push(await w.harness('a'), await w.harness('b'));
    await w.advance(60_000);
    const next = first.findLast(({ agent }) => agent === other);
    expect(next?.turns.map(({ eventId }) => eventId)).toContain(offered);
    const claimed = await next?.call('chat.claim', { inReplyTo: offered, ttlMs: 60_000 });
    expect(claimed).toMatchObject({ ok: true });
    await w.advance(130_000);
    // The offer rested while the claim lived. Nobody is left to take it.
    expect((await w.inbox()).map(({ kind, eventId }) => [kind, eventId])).toContainEqual([
      'offer_unclaimed',
      offered,
    ]);
    expect(await w.sound()).toEqual([]);
  });

  it('a deadline reminds once, and the log can be replayed to the same decisions', async () => {
    const w = await world();
    await w.harness('lead');
    const asked = await w.say('@lead can you check?');
    await setBack(w, life, backMs);
    const lead = await w.harness('lead');
    const { deadlineMs } = w.host.context.attention.limits;
    await w.advance(2 * deadlineMs + 2_000);
    const reminded = lead.fresh.filter(({ refersTo }) => refersTo === asked);
    expect(reminded).toHaveLength(1);
    const rows = await w.logged();
    const times = rows.map(({ at }) => at);
    expect(times).toEqual(times.toSorted((x, y) => x - y));
    const refold = new Refold(w.host.context.attention);
    for (const row of rows) expect(refold.fold(row)).toEqual(unpackDecisions(row.decisions, row.key));
    expect(await w.sound()).toEqual([]);
  });
});

describe('the clock is set forward by a day', () => {
  it('a debt returns once, a deadline reminds once, a deferral comes back once, and nothing is given up', async () => {
    const w = await world({ agents: [{ id: 'lead' }, { id: 'builder', lead: 'lead' }] });
    const lead = await w.harness('lead', { obligations: true });
    for (let n = 0; n < 5; n++) await w.say(`@lead question ${n}?`, { in: `C${n}` });
    const deferred = await w.say('@lead later?', { in: 'C9' });
    await lead.call('chat.defer', { inReplyTo: deferred, reason: 'later', ttlMs: 600_000 });
    const before = lead.fresh.length;
    w.clock.jump(24 * HOUR);
    await w.say('anybody?', { in: 'C8' }); // somebody asks the time
    await w.advance(1_000);
    const told = lead.fresh.slice(before).flatMap(({ refersTo }) => refersTo ?? []);
    expect(new Set(told).size).toBe(told.length); // each at most once
    expect(told).toContain(deferred);
    expect((await w.inbox()).map(({ kind }) => kind)).not.toContain('dead_letter');
    expect(w.errors).toEqual([]);
    expect(await w.sound()).toEqual([]);
  });
});

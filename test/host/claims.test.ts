// Claims and role offers: one responder at a time, and exactly one in the end.
import { afterEach, describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/runtime/random.ts';
import type { Harness } from './harness.ts';
import { type World, world } from './world.ts';
import { cases, seeds } from '../long.ts';

let w: World;
afterEach(async () => {
  expect(await w.sound()).toEqual([]);
});

const five = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id, roles: ['ops'] }));

async function connectAll(): Promise<Harness[]> {
  const all: Harness[] = [];
  for (const { id } of five) all.push(await w.harness(id));
  return all;
}

const offered = (all: readonly Harness[]): string[] =>
  all.flatMap(({ agent, turns }) => turns.map(() => agent));
const open = async (): Promise<number> => {
  let count = 0;
  for (const { id } of five) count += (await w.deliveries(id)).filter((row) => row.open === 1).length;
  return count;
};

describe('a role mention', () => {
  it('goes to one holder at a time, the next after 20 s, and after all to the inbox', async () => {
    w = await world({ agents: five });
    const all = await connectAll();
    const id = await w.say('@ops can you check the deploy?');
    for (let n = 1; n <= 5; n++) {
      expect(offered(all)).toHaveLength(n);
      await w.advance(19_998);
      expect(offered(all)).toHaveLength(n);
      await w.advance(2);
    }
    expect(new Set(offered(all)).size).toBe(5);
    expect((await w.inbox()).map(({ kind, eventId }) => [kind, eventId])).toEqual([['offer_unclaimed', id]]);
    expect(await open()).toBe(0);
    await w.advance(3_600_000);
    expect(offered(all)).toHaveLength(5);
  });

  it('goes on at once when its holder declines, and only then', async () => {
    w = await world({ agents: five });
    const all = await connectAll();
    const id = await w.say('@ops can you check the deploy?');
    const first = all.find(({ turns }) => turns.length === 1);
    const bystander = all.find(({ turns }) => turns.length === 0);
    await bystander?.call('chat.react', { inReplyTo: id, signal: 'declined' });
    await w.advance(1);
    expect(offered(all)).toHaveLength(1);
    await first?.call('chat.react', { inReplyTo: id, signal: 'declined' });
    await w.advance(1);
    expect(offered(all)).toHaveLength(2);
    expect(await w.ended(id, String(first?.agent))).toBe('ignored(declined)');
  });

  it('with a single holder is an offer too: unclaimed, a person hears of it', async () => {
    w = await world({ agents: [{ id: 'a', roles: ['ops'] }, { id: 'z' }] });
    const a = await w.harness('a');
    await w.say('@ops can you check the deploy?');
    expect(a.turns).toMatchObject([
      { injection: { mode: 'notify' }, attention: { notices: ['claim_first'] } },
    ]);
    await w.advance(20_001);
    expect((await w.inbox()).map(({ kind }) => kind)).toEqual(['offer_unclaimed']);
    expect((await w.deliveries('a')).filter((row) => row.open === 1)).toEqual([]);
  });

  it('claimed, brings the body to the claimant alone and is over when answered [C2A-06-02/notify/pulled-by-tool, C2A-06-24/notify/pulled-on-demand]', async () => {
    w = await world({ agents: five });
    const all = await connectAll();
    const id = await w.say('@ops can you check the deploy?');
    const first = all.find(({ turns }) => turns.length === 1) as Harness;
    expect(first.got[0]?.content).toBeUndefined();
    const read = await first.call('chat.read_thread', { inReplyTo: id });
    expect(JSON.stringify(read)).toContain('check the deploy');
    expect(await first.reply(id, 'Without a claim.')).toMatchObject({ error: 'claim_first' });
    await first.call('chat.claim', { inReplyTo: id });
    await w.drain();
    expect(first.turns.at(-1)).toMatchObject({
      eventId: `${id}/claimed`,
      refersTo: id,
      injection: { mode: 'buffered' },
    });
    expect(await w.ended(id, first.agent)).toBe('claimed');
    expect((await first.reply(`${id}/claimed`, 'It is fine.')).ok).toBe(true);
    for (let n = 0; n < 30; n++) await w.say(`chatter ${n}`, { by: `u${n % 4}` });
    await w.advance(3_600_000);
    expect(offered(all)).toHaveLength(2);
    expect(await w.inbox()).toEqual([]);
    expect(await open()).toBe(0);
  });

  it('whose claim lapses unanswered is offered to the next holder', async () => {
    w = await world({ agents: five });
    const all = await connectAll();
    const id = await w.say('@ops can you check the deploy?');
    const first = all.find(({ turns }) => turns.length === 1) as Harness;
    await first.call('chat.claim', { inReplyTo: id, ttlMs: 60_000 });
    await w.advance(59_000);
    expect(new Set(offered(all)).size).toBe(1);
    await w.advance(2_000);
    expect(new Set(offered(all)).size).toBe(2);
    expect(await first.reply(`${id}/claimed`, 'Late.')).toMatchObject({ ok: false });
  });

  it('claimed again by who had it before, is handed anew, withdrawn when another takes it, and over when answered', async () => {
    w = await world({ agents: five });
    const [a, b] = await connectAll();
    const id = await w.say('could somebody check the deploy?');
    const states = async (agent = ''): Promise<unknown[]> =>
      (await w.deliveries(agent)).map(({ eventId, state }) => [eventId.slice(id.length), state]);
    const minute = 60_000;
    for (const [nth, one] of [a, b, a, b, a].entries()) {
      if (nth > 0) await w.advance(2 * minute);
      expect((await one?.call('chat.claim', { inReplyTo: id, ttlMs: minute }))?.ok).toBe(true);
      expect(await open()).toBe(1);
    }
    expect(await states(a?.agent)).toMatchObject([
      ['/claimed', 'superseded'],
      ['/claimed/retry-2', 'superseded'],
      ['/claimed/retry-3', expect.any(String)],
    ]);
    expect((await a?.reply(id, 'It is green.'))?.ok).toBe(true);
    await w.advance(1);
    expect(await open()).toBe(0);
    expect(await states(b?.agent)).toEqual([
      ['/claimed', 'superseded'],
      ['/claimed/retry-2', 'superseded'],
    ]);
  });

  it('claimed again by who has answered it, is not handed over again', async () => {
    w = await world({ agents: five });
    const [a] = await connectAll();
    const id = await w.say('could somebody check the deploy?');
    const claim = () => a?.call('chat.claim', { inReplyTo: id, ttlMs: 3_600_000 });
    expect((await claim())?.ok).toBe(true);
    expect((await a?.reply(id, 'It is green.'))?.ok).toBe(true);
    await w.advance(1_000);
    // The same call once more, as from a host that stood still with it in its hands.
    expect((await claim())?.ok).toBe(true);
    await w.advance(1_000);
    expect(await w.deliveries(a?.agent ?? '')).toHaveLength(1);
    expect(await open()).toBe(0);
  });

  it('goes first to who is connected, then to who is least busy', async () => {
    w = await world({ agents: five.slice(0, 3) });
    const c = await w.harness('c');
    await w.say('@ops can you check the deploy?');
    expect(c.turns).toHaveLength(1);
  });

  it('exactly one answers, whatever the seed', async () => {
    for (const seed of seeds(30, 200)) {
      w = await world({ agents: five, seed });
      const random = seededRandom(seed);
      const all = await connectAll();
      const id = await w.say('@ops can you check the deploy?');
      for (let step = 0; step < 60 && w.texts().length === 0; step++) {
        const who = all[Math.floor(random.next() * all.length)] as Harness;
        const act = random.next();
        if (act < 0.3) await who.call('chat.claim', { inReplyTo: id, ttlMs: 5_000 });
        else if (act < 0.6) void who.reply(id, `Answer of ${who.agent}`);
        else if (act < 0.7) await who.call('chat.react', { inReplyTo: id, signal: 'declined' });
        else if (act < 0.8) await who.call('chat.claim', { inReplyTo: id, op: 'release' });
        else await w.advance(Math.floor(random.next() * 10_000));
      }
      for (const who of all) await who.reply(id, `Late answer of ${who.agent}`);
      await w.advance(1_000);
      const answers = new Set(w.platform.seen.map(({ agent }) => agent));
      expect(answers.size, `seed ${seed}`).toBeLessThanOrEqual(1);
      if (w.texts().length === 0) {
        await w.advance(600_000);
        expect((await w.inbox()).length, `seed ${seed}`).toBeGreaterThan(0);
      }
    }
  });
});

describe('claim races', () => {
  it('8 agents, many races: never two holders, and the loser hears who won', async () => {
    const agents = Array.from({ length: 8 }, (_, n) => ({ id: `a${n}` }));
    w = await world({ agents });
    const all: Harness[] = [];
    for (const { id } of agents) all.push(await w.harness(id));
    const rooms = 100;
    const rounds = cases(10, 100);
    const wins = new Map<string, number>();
    for (let round = 0; round < rounds; round++) {
      const events = Array.from({ length: rooms }, (_, r) =>
        w.event('can somebody check?', { in: `R${r}`, by: `u${round}` }),
      );
      await w.host.ingest(events, 'web');
      const calls = events.flatMap(({ eventId }) =>
        [0, 1].map(async (n) => {
          const who = all[(round * 3 + Number(String(eventId).slice(1)) + n * 5) % all.length] as Harness;
          const answer = await who.call('chat.claim', { inReplyTo: eventId, ttlMs: 1_000 });
          return { eventId, agent: who.agent, answer };
        }),
      );
      const outcomes = await Promise.all(calls);
      for (const [eventId, two] of Map.groupBy(outcomes, (outcome) => outcome.eventId)) {
        const granted = two.filter(({ answer }) => answer.ok);
        expect(granted.length, String(eventId)).toBe(1);
        const lost = two.find(({ answer }) => !answer.ok)?.answer;
        expect(lost).toMatchObject({
          error: 'claimed_by_other',
          data: { holder: `agent:${granted[0]?.agent}` },
        });
        wins.set(String(granted[0]?.agent), (wins.get(String(granted[0]?.agent)) ?? 0) + 1);
      }
      w.clock.stepTo(w.clock.now() + 2_000);
    }
    expect([...wins.values()].reduce((a, b) => a + b)).toBe(rooms * rounds);
    expect(wins.size).toBeGreaterThan(4);
  });

  it('a conversation’s claim covers its events, renewing keeps the token, releasing frees it', async () => {
    w = await world({ agents: [{ id: 'a' }, { id: 'b' }] });
    const [a, b] = [await w.harness('a'), await w.harness('b')];
    const id = await w.say('can somebody check?', { by: 'bob' });
    const held = await a.call('chat.claim', { target: 'channel:C1' });
    const token = held.ok ? held.result['token'] : undefined;
    expect(await b.call('chat.claim', { inReplyTo: id })).toMatchObject({ error: 'claimed_by_other' });
    expect(await a.call('chat.claim', { target: 'channel:C1', op: 'renew', token })).toMatchObject({
      result: { status: 'renewed', token },
    });
    expect(await a.call('chat.claim', { target: 'channel:C1', op: 'renew', token: 999 })).toMatchObject({
      error: 'stale_token',
    });
    expect(await a.call('chat.claim', { target: 'channel:C1', op: 'release', token })).toMatchObject({
      result: { status: 'released' },
    });
    expect((await b.call('chat.claim', { inReplyTo: id })).ok).toBe(true);
  });

  it('an agent that claims the same event again and again is handed a further delivery each time, and the last one can be withdrawn', async () => {
    w = await world({ agents: [{ id: 'a' }, { id: 'b' }] });
    const [a, b] = [await w.harness('a'), await w.harness('b')];
    await w.say('hi', { by: 'bob' });
    const id = await w.say('can somebody check the deploy?', { by: 'carl' });
    const brought = [`${id}/claimed`, `${id}/claimed/retry-2`, `${id}/claimed/retry-3`];
    for (const [index, delivery] of brought.entries()) {
      expect((await a.call('chat.claim', { inReplyTo: id, ttlMs: 60_000 })).ok).toBe(true);
      await w.drain();
      expect(a.turns.map(({ eventId }) => eventId)).toEqual(brought.slice(0, index + 1));
      await a.start(`t${index}`, delivery);
      if (index === 2) break;
      await a.end(`t${index}`, 'silent');
      await w.advance(61_000);
      expect(await w.ended(delivery, 'a')).toBe('ignored');
    }
    await w.advance(61_000);
    expect((await b.call('chat.claim', { inReplyTo: id })).ok).toBe(true);
    expect(await w.ended(`${id}/claimed/retry-3`, 'a')).toBe('superseded(claimed_by_other)');
    expect(await w.ended(`${id}/claimed/retry-2`, 'a')).toBe('ignored');
  });

  it('every claim is on the log [C2A-06-02/security/audit-claims]', async () => {
    w = await world({ agents: [{ id: 'a' }, { id: 'b' }] });
    const [a, b] = [await w.harness('a'), await w.harness('b')];
    const id = await w.say('can somebody check?', { by: 'bob' });
    await a.call('chat.claim', { inReplyTo: id });
    await b.call('chat.claim', { inReplyTo: id });
    expect((await w.logged('claim')).map(({ author }) => author)).toEqual(['agent:a', 'agent:b']);
  });
});

// Restarts and crashes: what was acknowledged is there, what was not settled is handed again, timers go on, and time
// that passed meanwhile is not made up for.
import { afterEach, describe, expect, it } from 'vitest';
import { createPairing } from '../../src/host/security/pairing.ts';
import { negotiate } from '../../src/protocol/initialize.ts';
import { callTool } from '../../src/host/tools/call.ts';
import { seededRandom } from '../../src/runtime/random.ts';
import { type World, world } from './world.ts';
import { cases, SEED } from '../long.ts';

let w: World;
afterEach(async () => {
  expect(await w.sound()).toEqual([]);
});

const ids = (events: readonly { eventId: string }[]): string[] => events.map(({ eventId }) => eventId);

describe('after a restart', () => {
  it.each([['restart'], ['crash']] as const)(
    '(%s) every unsettled delivery is handed again, nothing settled is',
    async (how) => {
      w = await world();
      const lead = await w.harness('lead');
      const said: string[] = [];
      for (let n = 0; n < 8; n++) said.push(await w.say(`@lead question ${n}?`, { in: `C${n}` }));
      await lead.reply(said[0] as string, 'Answer zero.');
      await lead.call('chat.react', { inReplyTo: said[1], signal: 'done' });
      await lead.call('chat.resolve', { inReplyTo: said[2] });
      await w.remove(said[3] as string, { in: 'C3' });
      await lead.call('chat.defer', { inReplyTo: said[4], reason: 'later', ttlMs: 600_000 });
      await lead.start('t', said[5] as string);
      await w[how]();
      const next = await w.harness('lead');
      expect(ids(next.got)).toEqual(said.slice(5));
      await w.advance(600_001);
      expect(next.fresh.map(({ refersTo }) => refersTo)).toContain(said[4]);
      expect(w.texts()).toEqual(['Answer zero.']);
    },
  );

  it('deadlines, offers, lapses and claims go on where they were', async () => {
    w = await world({
      agents: [
        { id: 'a', roles: ['ops'] },
        { id: 'b', roles: ['ops'] },
      ],
    });
    const a = await w.harness('a');
    const deferred = await w.say('@a please check', { in: 'C2' });
    await a.call('chat.defer', { inReplyTo: deferred, reason: 'later', ttlMs: 120_000 });
    const asked = await w.say('@a can you check?', { in: 'C3' });
    const offered = await w.say('@ops anybody?');
    await w.crash(60_000);
    const [a2, b2] = [await w.harness('a'), await w.harness('b')];
    await w.advance(1_000);
    expect(ids(b2.turns)).toEqual([offered]);
    await w.advance(60_000);
    expect(a2.turns.map(({ refersTo }) => refersTo)).toContain(deferred);
    await w.advance(200_000);
    expect(a2.turns.find(({ refersTo }) => refersTo === asked)?.attention.requiresThreadCheck).toBe(true);
  });

  it('a deadline that passed twice while down still asks its own harness first', async () => {
    w = await world({ agents: [{ id: 'lead' }, { id: 'builder', lead: 'lead' }] });
    const id = await w.say('@builder can you check?');
    await w.restart(3_600_000);
    const [lead, builder] = [await w.harness('lead'), await w.harness('builder')];
    expect(builder.turns).toMatchObject([{ eventId: id, attention: { requiresThreadCheck: true } }]);
    expect(lead.turns).toEqual([]);
  });

  it.each(['restart', 'crash'] as const)(
    'fragments are one event for a harness that pulls, whenever the %s comes: while they wait, and while they are leased',
    async (how) => {
      w = await world();
      const pieces = ['@lead when someone types', 'in', 'pieces', 'like this', 'the agent should wait'];
      for (const text of pieces.slice(0, 3)) await w.say(text);
      await w[how]();
      for (const text of pieces.slice(3)) await w.say(text);
      await w.advance(2_000);
      const pull = async () => {
        const { structuredContent } = await callTool('chat.wait_events', {}, w.host.toolCaller('lead'));
        return structuredContent?.['events'] as { eventId: string; content: string }[];
      };
      const [first, ...more] = await pull();
      expect([first?.content, more]).toEqual([pieces.join('\n'), []]);
      await w[how]();
      expect(await pull()).toEqual([]); // still leased
      await w.advance(60_001);
      expect((await pull()).map(({ eventId, content }) => ({ eventId, content }))).toEqual([
        { eventId: first?.eventId, content: first?.content },
      ]);
    },
  );

  it.each(['restart', 'crash'] as const)(
    'what an agent agreed to over HTTP, and its glyphs, are there after a %s',
    async (how) => {
      w = await world();
      const capabilities = { injection: { buffered: true }, glyphs: { done: '🎉' } };
      const agreed = negotiate({ protocolVersion: '2026-06-02', capabilities });
      if (!agreed.ok) throw new Error(agreed.error.message);
      await w.host.agreements.note('lead', agreed.agreement, 'http');
      await w[how]();
      expect(w.host.agreements.overHttp('lead')).toEqual(agreed.agreement);
      expect(w.host.context.glyphsOf('lead').done).toEqual(['🎉']);
      const lead = await w.harness('lead'); // a session without glyphs of its own
      expect(w.host.context.glyphsOf('lead').done).toEqual(['✅']);
      expect(w.host.agreements.overHttp('lead')).toEqual(agreed.agreement);
      lead.close();
    },
  );

  it.each([
    ['hang', 'edit'],
    ['done_and_hang', 'edit'],
    ['hang', 'delete'],
    ['done_and_hang', 'delete'],
  ] as const)('(%s) an %s that a crash cut off is shown and logged once', async (step, type) => {
    w = await world();
    const lead = await w.harness('lead');
    await lead.reply(await w.say('@lead one?'), 'yess');
    const [sent] = await w.store.scan('outbox', 'bySurface', { eq: ['web', 'visible'], limit: 1 });
    w.platform.amendScript = [step];
    const wanted = type === 'edit' ? { eventId: sent?.eventId, text: 'yes' } : { eventId: sent?.eventId };
    void lead.call(`chat.${type}_message`, wanted);
    await w.drain();
    expect(w.platform.amendments).toHaveLength(1);
    await w.crash(60_000);
    await w.advance(60_000);
    expect(w.texts()).toEqual([type === 'edit' ? 'yes' : '']);
    const [first, again] = w.platform.amendments;
    expect(again).toEqual(first);
    expect(w.platform.finds).toEqual([]);
    const rows = await w.store.scan('log', 'byPosition', { limit: 100 });
    expect(rows.filter((row) => row.type === type)).toHaveLength(1);
  });

  it('an event acknowledged to its surface is never lost, whenever the host crashes', async () => {
    const random = seededRandom(SEED + 6);
    w = await world({ attention: { limits: { deadlineMs: 24 * 3_600_000 } } });
    const accepted: string[] = [];
    const answered = new Set<string>();
    for (let crash = 0; crash < cases(20, 60); crash++) {
      const lead = await w.harness('lead', { onDeliver: () => (random.next() < 0.7 ? 'ack' : 'ignore') });
      const batch = Array.from({ length: 5 }, () =>
        w.event('@lead question?', { in: `C${Math.floor(random.next() * 4)}` }),
      );
      const stored = w.host.ingest(batch, 'web').then((results) => {
        for (const { eventId, status } of results) if (status !== 'refused') accepted.push(eventId);
      });
      if (random.next() < 0.5) await stored;
      for (const { eventId } of lead.fresh.slice(0, 3)) {
        if (answered.has(eventId)) continue;
        answered.add(eventId);
        const call = lead.reply(eventId, `Answer to ${eventId}`);
        if (random.next() < 0.5) await call;
      }
      if (random.next() < 0.3) await w.advance(Math.floor(random.next() * 2_000));
      await w.crash(Math.floor(random.next() * 1_000));
    }
    const last = await w.harness('lead');
    await w.advance(120_000);
    const logged = new Set((await w.logged('message')).map(({ key }) => key));
    expect(accepted.filter((id) => !logged.has(id))).toEqual([]);
    const shown = w.texts();
    expect(new Set(shown).size).toBe(shown.length);
    for (const id of accepted) {
      const row = await w.delivery(id);
      expect(row, id).toBeDefined();
      if (row?.open === 1)
        expect(
          last.fresh.some(({ eventId }) => eventId === id),
          id,
        ).toBe(true);
    }
  });

  it('a commit whose outcome nobody knows is refused as retryable, and the same event again is stored once', async () => {
    let fault: 'none' | 'kept' | 'lost' = 'none';
    w = await world({ faults: { commit: () => fault } });
    const lead = await w.harness('lead');
    await w.drain();
    for (const kind of ['kept', 'lost'] as const) {
      const event = w.event('@lead question?');
      fault = kind;
      const [first] = await w.host.ingest([event], 'web');
      fault = 'none';
      expect(first).toMatchObject({ status: 'refused', error: { code: 'unavailable' } });
      const [again] = await w.ingest(event);
      expect(again?.status).toBe(kind === 'kept' ? 'repeat' : 'accepted');
    }
    await w.advance(0);
    const stored = (await w.deliveries()).filter((row) => row.open === 1);
    expect(stored).toHaveLength(2);
    lead.close();
    await w.drain();
    const next = await w.harness('lead');
    expect(next.fresh).toHaveLength(2);
    w.errors.length = 0;
  });
});

describe('retention', () => {
  const DAY = 24 * 3_600_000;
  const keep = { settings: { limits: { retentionMs: DAY } } };

  it('cuts what is old and over, in batches, and keeps what something still needs', async () => {
    w = await world(keep);
    const lead = await w.harness('lead');
    const answered = await w.say('@lead can you check kumquat?');
    await lead.reply(answered, 'It is a kumquat.');
    const open = await w.say('@lead please check melon', { in: 'C2' });
    await lead.call('chat.defer', { inReplyTo: open, reason: 'later', ttlMs: 7 * DAY });
    for (let n = 0; n < 500; n++)
      await w.host.ingest([w.event(`old remark ${n}`, { by: `u${n % 9}` })], 'web');
    await w.advance(DAY / 2);
    expect(JSON.stringify(await w.logged())).toContain('kumquat');
    await w.advance(DAY);
    const young = await w.say('a young remark');
    const kept = (await w.logged('message')).map(({ key }) => key);
    expect(kept).toEqual([open, young]);
    expect(JSON.stringify([await w.outbox(), await w.deliveries()])).not.toContain('kumquat');
    expect(await w.store.check()).toEqual([]);
    await w.advance(7 * DAY);
    expect(lead.turns.map(({ refersTo }) => refersTo)).toContain(open);
  });

  it('never cuts an open obligation nor its reactions, and the debt stays open [OBL/7/retention-keeps-debt, OBL/7/outlives-retention, OBL/7/reactions-outlive-retention]', async () => {
    w = await world({ ...keep, agents: [{ id: 'lead' }] });
    const lead = await w.harness('lead');
    const obligation = { blocks: 'halted', defaultAction: 'I wait.' };
    const owed = await w.say('is it a kumquat', { more: { recipients: ['lead'], obligation } });
    await lead.call('chat.react', { inReplyTo: owed, signal: 'done' });
    await lead.call('chat.react', { inReplyTo: owed, signal: 'working' });
    await w.say('an old remark', { by: 'zed' });
    await w.advance(5 * DAY);
    const kept = await w.logged();
    expect(kept.filter(({ type }) => type === 'message').map(({ key }) => key)).toEqual([owed]);
    expect(kept.filter(({ type }) => type === 'reaction')).toHaveLength(2);
    const owes = await lead.call('chat.open_set', { query: 'owe' });
    expect(owes).toMatchObject({ result: { obligations: [{ eventId: owed }] } });
    await w.react(owed, 'done', { more: { recipient: 'agent:lead' } });
    expect(await lead.call('chat.open_set', { query: 'owe' })).toMatchObject({ result: { obligations: [] } });
    await w.advance(5 * DAY);
    expect((await w.logged('message')).map(({ key }) => key)).toEqual([]);
  });

  it('forgets spent pairing codes', async () => {
    w = await world();
    await createPairing(w.host.context).issue({ role: 'admin', ttlMs: 60_000 });
    await w.advance(2 * 3_600_000);
    expect(await w.store.scan('pairing', 'all', { limit: 10 })).toEqual([]);
  });
});

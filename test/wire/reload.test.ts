// Settings are replaced while events come in over the wire: no event is lost, and each is decided by exactly the version
// that its record names. The oracle is the pure fold over the stored records, under that version.
import { describe, expect, it } from 'vitest';
import { type AttentionSettingsInput, attentionSettingsSchema } from '../../src/attention/index.ts';
import { checkDecisions } from '../../src/host/check/check-decisions.ts';
import { checkRows } from '../../src/host/check/check-rows.ts';
import { conversationKeys } from '../../src/host/kernel/conversation.ts';
import { hostSettingsSchema } from '../../src/host/kernel/settings.ts';
import { settingsByVersion } from '../../src/host/kernel/settings-row.ts';
import { NO_INBOUND_LIMITS } from '../../src/host/security/rate-limit.ts';
import type { LogRow } from '../../src/store/tables.ts';
import { cases } from '../long.ts';
import { until, type WireHost, wireHost } from './host.ts';
import { harness } from './ways.ts';

const ONE: AttentionSettingsInput = {
  agents: [
    { id: 'lead', aliases: ['chief'], accounts: ['U7'] },
    { id: 'builder', lead: 'lead', roles: ['oncall'] },
  ],
  conversations: [{ match: '*/*/room-1', defaultResponder: 'builder' }],
};
const OTHER: AttentionSettingsInput = {
  agents: [
    { id: 'lead', respondTo: ['human:ann'], roles: ['oncall'] },
    { id: 'builder', aliases: ['chief'], accounts: ['U7'] },
    { id: 'nova', roles: ['oncall'], lead: 'lead' },
  ],
  conversations: [{ match: '*/*/room-1', defaultResponder: 'nova' }],
};

function change(wire: WireHost, input: AttentionSettingsInput, configVersion: string) {
  const { settings } = wire.host.context;
  const attention = attentionSettingsSchema.parse(input);
  const origin = { by: 'test', way: 'command', text: '', words: [] } as const;
  return wire.host.changeSettings({ attention, settings, configVersion }, origin);
}

async function logOf(wire: WireHost): Promise<LogRow[]> {
  const rows: LogRow[] = [];
  for (let after = 0; ; ) {
    const page = await wire.host.context.store.scan('log', 'byPosition', { after, limit: 500 });
    rows.push(...page);
    const last = page.at(-1);
    if (last === undefined) return rows;
    after = last.position;
  }
}

const LINES = ['@lead are you there?', 'chief, look at this', '@oncall help', 'and what now?', '@nova hi'];
const AUTHORS = ['ann', 'ben', 'cleo'];

describe('settings that change under load', () => {
  it('lose no event, and each is decided by the version that its record names', async () => {
    const wire = await wireHost({
      agents: ONE.agents ?? [],
      attention: { conversations: ONE.conversations },
      rateLimits: NO_INBOUND_LIMITS,
    });
    const flips = cases(50, 200);
    const posted: string[] = [];
    let n = 0;
    const over = new AbortController();
    const speak = async (room: number): Promise<void> => {
      while (!over.signal.aborted) {
        const events = Array.from({ length: 8 }, () => {
          const id = `load-${++n}`;
          // Every fifth is by an account that is another agent under the other settings.
          const by = n % 5 === 0 ? 'U7' : (AUTHORS[n % AUTHORS.length] ?? 'ann');
          const byKind = n % 5 === 0 ? 'agent' : 'human';
          return wire.event(LINES[n % LINES.length] ?? '', { id, in: `room-${room}`, by, byKind });
        });
        const results = await wire.post(...events);
        for (const result of results) {
          expect(result.status).toBe('accepted');
          posted.push(result.eventId);
        }
        wire.clock.advanceTo(wire.clock.now() + 20);
      }
    };
    const speakers = [1, 2, 3, 4].map(speak);
    for (let flip = 0; flip < flips; flip++) {
      const before = posted.length;
      await change(wire, flip % 2 === 0 ? OTHER : ONE, flip % 2 === 0 ? 'v2' : 'v1');
      await until(() => posted.length > before + 8, 'the next events');
    }
    over.abort();
    await Promise.all(speakers);

    const { store } = wire.host.context;
    const rows = await logOf(wire);
    const stored = new Set(rows.map(({ key }) => key));
    expect(posted.filter((id) => !stored.has(id))).toEqual([]);
    const told = rows.filter(({ key }) => /^load-\d+$/.test(key));
    expect(new Set(told.map(({ key }) => key)).size).toBe(posted.length);
    const by = Map.groupBy(told, ({ record }) => record.facts.configVersion);
    expect(new Set(by.keys())).toEqual(new Set(['v1', 'v2']));
    for (const some of by.values()) expect(some.length).toBeGreaterThan(flips);
    for (const row of told.filter(({ record }) => record.event.author.kind === 'agent')) {
      const { facts, event } = row.record;
      expect(event.author.id).toBe(facts.configVersion === 'v1' ? 'lead' : 'builder');
    }
    const earlier = await settingsByVersion(store);
    const conversations = await conversationKeys(store, '', 1_000);
    const settings = { attention: attentionSettingsSchema.parse(ONE), configVersion: 'v1', earlier };
    expect(await checkDecisions(store, conversations, settings)).toEqual([]);
    // The oracle is not blind: under the wrong version it finds differences.
    const wrong = { ...settings, earlier: new Map([['v2', settings.attention]]) };
    expect(await checkDecisions(store, conversations, wrong)).not.toEqual([]);
    expect(await checkRows(store)).toEqual([]);
  });
});

describe('an agent that is', () => {
  it('added connects at once and is woken', async () => {
    const wire = await wireHost();
    await change(wire, { agents: [{ id: 'lead' }, { id: 'builder' }, { id: 'nova' }] }, 'v2');
    const nova = await harness(wire, 'nova', 'websocket');
    const id = await wire.say('@nova are you there?');
    await wire.pass(2_500);
    const seen = await nova.next(({ eventId }) => eventId === id);
    expect(seen.policy).toBe('must_respond');
  });

  it('removed is dismissed, what it owed becomes a dead letter and its asker is told', async () => {
    const wire = await wireHost();
    const builder = await harness(wire, 'builder', 'websocket');
    const id = await wire.say('@builder fix the build');
    await wire.pass(2_500);
    await builder.next(({ eventId }) => eventId === id);
    await change(wire, { agents: [{ id: 'lead' }] }, 'v2');
    await until(() => !wire.host.courier.connected('builder'), 'the end of the session');
    const { store } = wire.host.context;
    expect(await store.scan('delivery', 'openByAgent', { eq: ['builder', 1], limit: 9 })).toEqual([]);
    const [row] = await store.scan('delivery', 'bySource', { eq: [id], limit: 1 });
    expect(row).toMatchObject({ state: 'dead_lettered', why: 'agent_removed', open: 0 });
    const [item] = await store.scan('inbox', 'byOpen', { eq: [1], limit: 9 });
    expect(item).toMatchObject({ kind: 'dead_letter', eventId: id });
    await until(() => wire.platform.texts().some((text) => text.includes('builder')), 'a line for who asked');
    const token = await wire.token('agent', 'builder');
    const refused = await wire.call('POST', '/c2a', token, {
      jsonrpc: '2.0',
      id: 1,
      method: 'chat/pull',
      params: {},
    });
    expect(JSON.stringify(refused)).toMatch(/builder/);
    expect(refused.status).toBe(403);
    expect(await checkRows(store)).toEqual([]);
  });
});

it('limits of the host are taken over too', async () => {
  const wire = await wireHost();
  const { settings, attention } = wire.host.context;
  const slower = hostSettingsSchema.parse({
    ...settings,
    limits: { ...settings.limits, sendsPerMinute: 2, sendWaitMs: 100 },
  });
  const lead = await harness(wire, 'lead', 'websocket');
  await wire.host.changeSettings(
    { attention, settings: slower, configVersion: 'v2' },
    { by: 'test', way: 'file', text: '', words: [] },
  );
  const id = await wire.say('@lead one?');
  await wire.pass(2_500);
  const seen = await lead.next(({ eventId }) => eventId === id);
  const sent = [await lead.reply(seen, 'one'), await lead.reply(seen, 'two')];
  expect(sent.map(({ ok }) => ok)).toEqual([true, false]);
});

// An agent that is not connected says so in the room at once, once per outage and conversation; when it is back, it
// answers. Over every way by which it may be away.
import { describe, expect, it } from 'vitest';
import { TROUBLE_LINES } from '../../src/host/outbox/trouble-lines.ts';
import { PRESENCE_LIMITS } from '../../src/host/deliver/presence.ts';
import { wireHost } from './host.ts';
import { harness, hostWith, webhookFor } from './ways.ts';

const TEAM = [{ id: 'lead' }, { id: 'builder', lead: 'lead' }];
const AWAY = 'builder is not connected; your message waits for it.';

describe.each(['websocket', 'sdk'] as const)('an agent that lost its connection over %s', (way) => {
  it('says so once in each place, and answers when it is back', async () => {
    const { wire, agent } = await hostWith(way, 'builder', { agents: TEAM });
    await agent.close();
    await wire.say('@builder is the build green?');
    await wire.pass(4_000);
    expect(wire.platform.texts()).toEqual([]);
    await wire.pass(2_000);
    expect(wire.platform.texts()).toEqual([AWAY]);
    await wire.say('@builder still there?');
    await wire.say('@builder kannst du das bitte prüfen?', { in: 'other' });
    await wire.pass(60_000, 5_000);
    expect(wire.platform.texts()).toEqual([AWAY, TROUBLE_LINES.de.away('builder')]);
    const back = await harness(wire, 'builder', 'websocket');
    await wire.pass(3_000);
    expect(back.seen.some(({ text }) => text.includes('is the build green?'))).toBe(true);
    const [first] = back.seen;
    if (first !== undefined) await back.reply(first, 'It is green.');
    await wire.pass(1_000);
    expect(wire.platform.texts()).toContain('It is green.');
    // The next outage is another one.
    await back.close();
    await wire.pass(10_000, 1_000);
    expect(wire.platform.texts().filter((text) => text === AWAY)).toHaveLength(2);
  });

  it('says nothing when it is back soon, or when nobody must be answered', async () => {
    const { wire, agent } = await hostWith(way, 'builder', { agents: TEAM });
    const lead = await harness(wire, 'lead', 'websocket');
    await agent.close();
    await wire.say('@builder is the build green?');
    await wire.pass(2_000);
    const back = await harness(wire, 'builder', 'websocket');
    const seen = await back.next(({ text }) => text.includes('build green'));
    await back.reply(seen, 'It is green.');
    await back.close();
    await wire.say('nice weather today');
    await wire.pass(60_000, 5_000);
    expect(wire.platform.texts()).toEqual(['It is green.']);
    expect(lead.seen.filter(({ policy }) => policy === 'must_respond')).toEqual([]);
  });
});

it('an agent that never connected says so after the time that all have after a start', async () => {
  const wire = await wireHost({ agents: TEAM });
  await wire.say('@builder is the build green?');
  await wire.pass(PRESENCE_LIMITS.startMs - 2_000, 2_000);
  expect(wire.platform.texts()).toEqual([]);
  await wire.pass(4_000);
  expect(wire.platform.texts()).toEqual([AWAY]);
});

describe.each(['pull', 'mcp'] as const)('an agent over %s', (way) => {
  it('is there while it calls, and away when it has not called for a while', async () => {
    const { wire, agent } = await hostWith(way, 'builder', { agents: TEAM });
    await wire.pass(60_000, 5_000);
    await wire.say('@builder is the build green?');
    await wire.pass(5_000);
    const seen = await agent.next(({ text }) => text.includes('build green'));
    await agent.reply(seen, 'It is green.');
    await wire.pass(1_000);
    await agent.close();
    await wire.say('@builder and now?');
    await wire.pass(PRESENCE_LIMITS.pullMs - 30_000, 5_000);
    expect(wire.platform.texts()).toEqual(['It is green.']);
    await wire.pass(60_000, 5_000);
    expect(wire.platform.texts()).toEqual(['It is green.', AWAY]);
  });
});

it('a webhook that cannot be reached is not connected, until a post arrives', async () => {
  let isUp = false;
  const entry = await webhookFor('builder', () => (isUp ? { reply: 'It is green.' } : 'down'));
  const wire = await wireHost({ agents: TEAM, host: { webhooks: [entry] } });
  await wire.say('@builder is the build green?');
  await wire.pass(10_000);
  expect(wire.platform.texts()).toEqual([]);
  await wire.pass(30_000, 1_000);
  await wire.say('@builder are you there?');
  await wire.pass(30_000, 1_000);
  expect(wire.platform.texts()).toEqual([AWAY]);
  isUp = true;
  await wire.pass(120_000, 2_000);
  expect(wire.platform.texts().slice(0, 2)).toEqual([AWAY, 'It is green.']);
});

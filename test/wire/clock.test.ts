// Somebody sets the machine's clock back while agents are connected over sockets: what waits for a time goes on. The same
// with restarts and crashes, without sockets, is in test/host/clock.test.ts.
import { describe, expect, it } from 'vitest';
import { until, wireHost } from './host.ts';
import { harness } from './ways.ts';

const HOUR = 3_600_000;
const OPS = [
  { id: 'a', roles: ['ops'] },
  { id: 'b', roles: ['ops'] },
];

describe.each([
  ['an hour', HOUR],
  ['two days', 48 * HOUR],
] as const)('the clock is set back by %s while agents are connected', (_, backMs) => {
  it('a send that waits for its next try is posted', async () => {
    const wire = await wireHost();
    const lead = await harness(wire, 'lead', 'websocket');
    const { platform } = wire;
    platform.onPost = () => (platform.arrived.length > 1 ? 'show' : 'retry');
    const asked = await wire.say('@lead are you there?');
    await wire.pass(3_000);
    const reply = lead.reply(await lead.next(({ eventId }) => eventId === asked), 'I am');
    await until(() => platform.arrived[0], 'the first try');
    wire.clock.jump(-backMs);
    await wire.pass(10_000, 250);
    expect(await reply).toMatchObject({ ok: true });
    expect(platform.texts()).toEqual(['I am']);
  });

  it('an offer goes to the next holder, and a claim ends', async () => {
    const wire = await wireHost({ agents: OPS, host: { limits: { offerMs: 30_000 } } });
    const holders = [await harness(wire, 'a', 'websocket'), await harness(wire, 'b', 'websocket')];
    const offered = await wire.say('@ops can one of you look at the deploy?', {
      more: { mentions: [{ kind: 'role', id: 'ops' }] },
    });
    await wire.pass(3_000);
    const first = await until(() => holders.find(({ seen }) => seen.length > 0), 'the first holder');
    const next = holders.find((holder) => holder !== first);
    wire.clock.jump(-backMs);
    await wire.pass(65_000, 1_000);
    await next?.next(({ eventId }) => eventId === offered, 'the offer to the next');
    const claim = { inReplyTo: offered, ttlMs: 60_000 };
    expect(await next?.tool('chat.claim', claim)).toMatchObject({ ok: true });
    expect(await first.tool('chat.claim', claim)).toMatchObject({ ok: false, name: 'claimed_by_other' });
    wire.clock.jump(-backMs);
    await wire.pass(125_000, 1_000);
    expect(await first.tool('chat.claim', claim)).toMatchObject({ ok: true });
  });
});

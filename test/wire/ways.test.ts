// The rig itself: over every way a mention arrives with its words, an answer becomes visible once, and the delivery is
// settled. The tests beside this one rely on that.
import { describe, expect, it } from 'vitest';
import { until } from './host.ts';
import { hostWith, WAYS } from './ways.ts';

describe.each(WAYS)('over %s', (way) => {
  it('a mention arrives with its words, and its answer becomes visible once', async () => {
    const { wire, agent: lead } = await hostWith(way, 'lead');
    const eventId = await wire.say('@lead is the deploy blocked?');
    await wire.pass(3_000);
    const seen = await lead.next((one) => one.text.includes('is the deploy blocked?'));
    expect(seen).toMatchObject({ eventId, policy: 'must_respond' });
    expect(await lead.reply(seen, 'No, it went out at nine.')).toMatchObject({ ok: true });
    await until(() => wire.platform.texts().length > 0, 'the answer');
    expect(wire.platform.texts()).toEqual(['No, it went out at nine.']);
    expect(await wire.why(eventId, 'lead')).toMatchObject({ decision: { policy: 'must_respond' } });
  });
});

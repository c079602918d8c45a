// The compose window goes by how its author writes, over every way: who sends fragments is waited for, everybody else as usual.
import { describe, expect, it } from 'vitest';
import type { WireHost } from './host.ts';
import { hostWith, type WireHarness, WAYS } from './ways.ts';

/** The clock of the tests goes in steps of 500 ms. */
const SLACK_MS = 1_000;
/** Longer than any window. */
const PAUSE_MS = 32_000;
/** Shorter than what a connection may be silent. */
const STEP_MS = 4_000;
/** Said to nobody here, so it starts no turn: only how its author writes is learned from it. */
const ASIDE = { more: { mentions: [{ kind: 'human', id: 'U9' }] } };

/** For the SDK: its turns end at once. */
const ENDS_AT_ONCE = { onTurn: () => undefined };

const texts = (agent: WireHarness): string[] => agent.seen.map(({ text }) => text);

async function saysWithGaps(wire: WireHost, gaps: readonly number[], by: string): Promise<void> {
  for (const gap of gaps) {
    await wire.say('and so on', { by, ...ASIDE });
    await wire.pass(gap, STEP_MS);
  }
}

const IN_PIECES = [3_500, 3_500, 3_500, PAUSE_MS];
const ALONE = [PAUSE_MS, PAUSE_MS, PAUSE_MS, PAUSE_MS];

describe.each(WAYS)('over %s', (way) => {
  it('what somebody adds as late as they usually do is part of one turn', async () => {
    const { wire, agent: lead } = await hostWith(way, 'lead', {}, ENDS_AT_ONCE);
    await saysWithGaps(wire, IN_PIECES, 'U1');
    await wire.say('@lead check staging', { by: 'U1' });
    await wire.say('@lead is it done?', { by: 'U2' });
    await wire.pass(2_000 + SLACK_MS);
    await lead.next(({ text }) => text === '@lead is it done?');
    expect(texts(lead)).toEqual(['@lead is it done?']);
    await wire.say('and production?', { by: 'U1', more: { mentions: [{ kind: 'agent', id: 'lead' }] } });
    await wire.pass(5_000 + SLACK_MS, SLACK_MS);
    await lead.next(({ text }) => text === '@lead check staging\nand production?');
  });

  it('somebody who says one line and waits is waited for as usual', async () => {
    const { wire, agent: lead } = await hostWith(way, 'lead');
    await saysWithGaps(wire, ALONE, 'U1');
    await wire.say('@lead check staging', { by: 'U1' });
    await wire.pass(2_000 + SLACK_MS);
    await lead.next(({ text }) => text === '@lead check staging');
  });
});

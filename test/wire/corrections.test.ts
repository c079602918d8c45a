// What an author adds or changes while a bare harness works reaches it as one: it is told that the first is over, then gets
// one delivery with everything. A late answer to the first is refused and names the one to answer.
import { describe, expect, it } from 'vitest';
import { hostWith } from './ways.ts';

const QUIET_MS = 3_000;

describe('a correction over websocket', () => {
  it('is one delivery with all the words, after a cancel; the first can no longer be answered', async () => {
    const { wire, agent: lead } = await hostWith('websocket', 'lead');
    await wire.say('@lead is production green?');
    await wire.pass(QUIET_MS);
    const first = await lead.next(() => true);
    await wire.say('@lead and staging?');
    await wire.pass(QUIET_MS);
    const both = await lead.next(({ text }) => text.includes('staging'));
    expect(both.text).toBe('@lead is production green?\n@lead and staging?');
    expect(both.policy).toBe('must_respond');
    expect(
      lead.notes.map(({ method, params }) => [method, params['eventId'], params['reason']]),
    ).toContainEqual(['notifications/cancelled', first.eventId, 'corrected']);
    const late = await lead.reply(first, 'Production is green.');
    expect(late).toMatchObject({ ok: false, name: 'must_not_respond' });
    expect(late.ok ? '' : late.message).toContain(`Answer ${both.eventId} instead`);
    expect(await lead.reply(both, 'Both are green.')).toMatchObject({ ok: true });
    await wire.pass(QUIET_MS);
    expect(lead.seen).toHaveLength(2);
  });

  it('that came after the answer is a question of its own', async () => {
    const { wire, agent: lead } = await hostWith('websocket', 'lead');
    await wire.say('@lead is production green?');
    await wire.pass(QUIET_MS);
    const first = await lead.next(() => true);
    expect(await lead.reply(first, 'It is.')).toMatchObject({ ok: true });
    await wire.say('@lead and staging?');
    await wire.pass(QUIET_MS);
    const second = await lead.next(({ text }) => text.includes('staging'));
    expect(second.text).toBe('@lead and staging?');
    expect(lead.notes.filter(({ method }) => method === 'notifications/cancelled')).toEqual([]);
  });

  it.each([
    ['', {}],
    [
      ' of what is owed',
      { recipients: ['agent:lead'], obligation: { blocks: 'halted', defaultAction: 'I wait.' } },
    ],
  ])('by an edit%s names the newer delivery too', async (_, owed) => {
    const { wire, agent: lead } = await hostWith('websocket', 'lead');
    await wire.say('@lead is production green?', { more: owed });
    await wire.pass(QUIET_MS);
    const first = await lead.next(() => true);
    await wire.post(
      wire.event('@lead is staging green?', { more: { type: 'edit', targetEventId: first.eventId } }),
    );
    await wire.pass(QUIET_MS);
    const edited = await lead.next(({ text }) => text.includes('staging'));
    const late = await lead.reply(first, 'Production is green.');
    expect(late.ok ? '' : late.message).toContain(`Answer ${edited.eventId} instead`);
  });
});

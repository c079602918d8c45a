// `visibility: dm` goes to the person's direct message or is refused, never to the channel; `ephemeral` goes only where
// the platform can show it to one reader.
import { describe, expect, it } from 'vitest';
import type { Line, WireHost } from './host.ts';
import { hostWith, replyTo, type Seen, WAYS, type WireHarness } from './ways.ts';

async function asked(wire: WireHost, lead: WireHarness, line: Line = {}): Promise<Seen> {
  const eventId = await wire.say('@lead what is my salary?', line);
  await wire.pass(3_000);
  return lead.next((one) => one.eventId === eventId, 'the question');
}

/** An answer to a question in the channel that only its author is to see. */
function privately(seen: Seen, more: Record<string, unknown> = {}): Record<string, unknown> {
  return { ...replyTo(seen, 'It is in your contract.'), visibility: 'dm', ...more };
}

function shownIn({ platform }: WireHost): (string | undefined)[] {
  return platform.shown.filter(({ type }) => type === 'message').map(({ place }) => place?.conversationId);
}

/** Direct messages that are not the one of Ada on this surface. */
const OTHERS: readonly [what: string, lines: readonly Line[]][] = [
  ['nobody has written directly', []],
  ['another person has', [{ in: 'D2', kind: 'dm', by: 'bob' }]],
  ['she has, in another workspace', [{ in: 'D3', kind: 'dm', more: { workspaceId: 'w2' } }]],
  [
    'she has, where others read too',
    [
      { in: 'D4', kind: 'dm' },
      { in: 'D4', kind: 'dm', by: 'bob' },
    ],
  ],
];

describe.each(WAYS)('an answer for one person, over %s', (way) => {
  it('goes to the direct message of that person, and is the answer', async () => {
    const { wire, agent: lead } = await hostWith(way, 'lead');
    await wire.say('@lead hello', { in: 'D2', kind: 'dm', by: 'bob' });
    await wire.say('@lead hello', { in: 'D1', kind: 'dm' });
    const seen = await asked(wire, lead);
    expect(await lead.tool('chat.send_message', privately(seen))).toMatchObject({ ok: true });
    await wire.pass(1_000);
    expect(shownIn(wire)).toEqual(['D1']);
    expect((await wire.why(seen.eventId, 'lead')).since.at(-1)?.words).toContain('answered it');
  });

  it.each(OTHERS)('is refused when %s, with what to do instead', async (_, lines) => {
    const { wire, agent: lead } = await hostWith(way, 'lead');
    for (const line of lines) await wire.say('@lead hello', line);
    const seen = await asked(wire, lead);
    const refused = await lead.tool('chat.send_message', privately(seen));
    expect(refused).toMatchObject({ ok: false, name: 'no_private_way' });
    expect(refused.ok ? '' : refused.message).toMatch(/human:ada.*Answer in the channel, or ask them/);
    await wire.pass(1_000);
    expect(wire.platform.arrived).toEqual([]);
    // It was not the answer. The next one is.
    expect(await lead.reply(seen, 'I can only say it in a direct message.')).toMatchObject({ ok: true });
  });

  it('is not shown to one reader where the platform cannot', async () => {
    const { wire, agent: lead } = await hostWith(way, 'lead');
    const seen = await asked(wire, lead);
    const refused = await lead.tool('chat.send_message', privately(seen, { visibility: 'ephemeral' }));
    expect(refused).toMatchObject({ ok: false, name: 'no_private_way' });
    expect(refused.ok ? '' : refused.message).toContain('Use visibility dm or channel');
    expect(wire.platform.arrived).toEqual([]);
  });

  it('may name the person', async () => {
    const { wire, agent: lead } = await hostWith(way, 'lead');
    await wire.say('@lead hello', { in: 'D1', kind: 'dm' });
    const seen = await asked(wire, lead);
    const unasked = { inReplyTo: undefined, directedness: 'ambient' };
    for (const to of [{ target: 'human:ada' }, { recipient: 'human:ada', directedness: 'to_me' }]) {
      const args = privately(seen, { ...unasked, text: `Is this right? (${JSON.stringify(to)})`, ...to });
      expect(await lead.tool('chat.send_message', args)).toMatchObject({ ok: true });
    }
    const nobody = await lead.tool('chat.send_message', privately(seen, unasked));
    expect(nobody).toMatchObject({ ok: false, name: 'no_private_way' });
    await wire.pass(1_000);
    expect(shownIn(wire)).toEqual(['D1', 'D1']);
  });
});

it('an answer for the agent that asked goes to the direct message of the two', async () => {
  const { wire, agent: builder } = await hostWith('websocket', 'builder');
  const eventId = await wire.say('@builder can you build it?', { by: 'lead', byKind: 'agent' });
  await wire.pass(3_000);
  const seen = await builder.next((one) => one.eventId === eventId, 'the question');
  expect(await builder.tool('chat.send_message', privately(seen))).toMatchObject({ ok: true });
  await wire.pass(1_000);
  expect(wire.platform.arrived).toEqual([]);
  const { body } = await wire.call('GET', '/v1/log', await wire.token('operator', 'ops'));
  expect(JSON.stringify(body)).toContain('dm:builder:lead');
});

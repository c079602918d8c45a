// Names oblige nobody: what a harness is handed when a message has an agent's name without an @. A room in which Bob and
// Jane have spoken; the agents are lead and builder.
import { describe, expect, it } from 'vitest';
import { until, type WireHost } from './host.ts';
import { hostWith, WAYS, type WireHarness } from './ways.ts';

/** The SDK takes one turn after the other, so each has to end. */
const TURNS = { onTurn: () => 'Noted.' };

/** Says each line as somebody new, so that nobody is talking with the agent, and ends with a mention that must arrive. */
async function handed(wire: WireHost, lead: WireHarness, lines: readonly string[]): Promise<string[]> {
  await wire.say('morning', { by: 'bob' });
  await wire.say('morning', { by: 'jane' });
  for (const [index, line] of lines.entries()) {
    await wire.say(line, { by: `visitor${index}` });
    await wire.pass(4_000);
  }
  await wire.say('@lead is anybody there?', { by: 'zoe' });
  await wire.pass(4_000);
  await lead.next((seen) => seen.text.includes('is anybody there?'), 'the mention');
  return lead.seen
    .filter(({ mode }) => mode !== 'digest')
    .map(({ text, policy }) => `${policy}: ${text}`)
    .slice(0, -1);
}

describe.each(WAYS)('over %s', (way) => {
  it('talk about an agent wakes nobody, nor does a name in code or in a quotation [C2A-06-24/quiet/ambient, C2A-06-24/quiet/other-person]', async () => {
    const { wire, agent: lead } = await hostWith(way, 'lead', {}, TURNS);
    const lines = [
      'we need to lead by example',
      'did lead answer you, bob?',
      'the lead did a good job yesterday',
      'lead did a good job yesterday',
      'has anyone seen lead?',
      'jane: did lead answer you?',
      'run `@lead deploy` or\n~~~\n@lead\n~~~',
      'the log:\n```\n@lead please restart\n```',
      '> @lead please restart\nwho wrote that',
      'リードは lead が直した',
      'lead will be replaced, I hear',
      'lead is down, bob has a look',
      'frag mal lead',
      'see https://git.example.com/@lead/repo',
      'install @lead/core first',
    ];
    expect(await handed(wire, lead, lines)).toEqual([]);
  });

  it('a plain name engages and obliges to nothing; a name first, with a mark, is a mention [C2A-06-24/respond/mentioned-by-name]', async () => {
    const { wire, agent: lead } = await hostWith(way, 'lead', {}, TURNS);
    const calls = ['can you look at the disk, lead?', 'lead what failed?', '¿puedes mirar, lead?'];
    const hails = [
      'lead: what failed?',
      'hola lead, ¿puedes mirar?',
      'lead、確認してください',
      '**lead**, what failed?',
      'hi all, lead: what failed?',
      '```\nerror 7\n```\nlead, what failed?',
    ];
    expect(await handed(wire, lead, [...calls, ...hails])).toEqual([
      ...calls.map((text) => `may_respond: ${text}`),
      ...hails.map((text) => `must_respond: ${text}`),
    ]);
  });

  it('a live exchange obliges, also when the message has the name of its agent', async () => {
    const { wire, agent: lead } = await hostWith(way, 'lead');
    await wire.say('@lead is the deploy blocked?');
    await wire.pass(4_000);
    const asked = await lead.next((seen) => seen.text.includes('blocked'));
    expect(await lead.reply(asked, 'Not any more.')).toMatchObject({ ok: true });
    await until(() => wire.platform.texts().length === 1, 'the answer');
    const eventId = await wire.say('so did lead restart it?');
    expect(await wire.why(eventId, 'lead')).toMatchObject({
      decision: { policy: 'must_respond', reason: 'exchange' },
    });
  });
});

it('why says in words what a name was taken for', async () => {
  const { wire } = await hostWith('websocket', 'lead');
  await wire.say('morning', { by: 'jane' });
  const headlines = async (text: string): Promise<string[]> => {
    const { headline, steps } = await wire.why(await wire.say(text, { by: text }), 'lead');
    return [headline, ...steps];
  };
  const hailed = await headlines('lead: what failed?');
  expect(hailed[0]).toBe('lead must answer: it is mentioned.');
  expect(hailed.join('\n')).toContain(
    'its name comes first, with a colon or comma, and the words expect an answer',
  );
  const named = await headlines('what failed, lead?');
  expect(named[0]).toBe('lead may answer: it is called by name.');
  expect(named.join('\n')).toContain('its name comes last');
  expect(named.join('\n')).toContain('a name without an @ wakes its agent and obliges it to nothing');
  const elsewhere = await headlines('jane: did lead answer you?');
  expect(elsewhere[0]).toBe('lead stays silent: this is meant for somebody else.');
  expect(elsewhere.join('\n')).toContain('it calls them by name');
  expect((await headlines('we need to lead by example'))[0]).toBe(
    'lead stays silent: this is meant for nobody in particular.',
  );
});

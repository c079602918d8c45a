// The outbound rules are about what is sent, not about what its agent declares: a turn is what the host handed out, words
// are compared as a reader sees them, visibility is that of the place, and a pairing code gives no agent a role.
import { describe, expect, it } from 'vitest';
import type { WireHost, WireHostOptions } from './host.ts';
import { hostWith, replyTo, type Seen, type ToolResult, type Way, WAYS, type WireHarness } from './ways.ts';

async function asked(wire: WireHost, lead: WireHarness, text = '@lead is it blocked?'): Promise<Seen> {
  const eventId = await wire.say(text);
  await wire.pass(3_000);
  return lead.next((one) => one.eventId === eventId, 'the question');
}

const nameOf = (result: ToolResult): string => (result.ok ? 'ok' : result.name);

describe.each(['websocket', 'pull'] as const)('turns that are reported over %s', (way) => {
  /** Events with which a harness may say that a turn started, and which give it no word beyond the budget. */
  const CLAIMED: readonly [what: string, events: (seen: Seen, other: string) => string[]][] = [
    ['a made-up event', () => ['evt_made_up']],
    ['the same question, again and again', ({ eventId }) => [eventId]],
    ['what was not put to it', (_, other) => [other]],
    ['ids that the host could have made', ({ eventId }) => [`${eventId}/retry-2`, 'out_1', 'tick:1']],
  ];

  it.each(CLAIMED)('with %s do not lift the budget', async (_, events) => {
    const host = { limits: { unpromptedPerHour: 2 } };
    const { wire, agent: lead } = await hostWith(way, 'lead', { host });
    const seen = await asked(wire, lead);
    const other = await wire.say('@builder can you look?', { by: 'bob' });
    await wire.pass(3_000);
    const results: string[] = [];
    for (let turn = 1; turn <= 8; turn++) {
      await lead.request('turn/started', { turnId: `t${turn}`, eventIds: events(seen, other) });
      const said = replyTo(seen, `Thought number ${turn}.`);
      const unnamed = { ...said, inReplyTo: undefined, turnId: `t${turn}` };
      results.push(nameOf(await lead.tool('chat.send_message', unnamed)));
      await wire.pass(1_000);
    }
    expect(results.filter((name) => name === 'ok').length).toBeLessThanOrEqual(2);
    expect(results.slice(3)).toEqual(Array.from({ length: 5 }, () => 'budget_spent'));
    // The question itself still has its answer.
    expect(await lead.reply(seen, 'It is not.')).toMatchObject({ ok: true });
  });

  it('a first word that was not shown may be said again', async () => {
    const host = { limits: { unpromptedPerHour: 1 } };
    const { wire, agent: lead } = await hostWith(way, 'lead', { host });
    const first = await asked(wire, lead);
    await lead.reply(first, 'It is not.');
    await lead.reply(first, 'And it never was.');
    const next = await asked(wire, lead, '@lead and the build?');
    await lead.request('turn/started', { turnId: 't', eventIds: [next.eventId] });
    const say = (text: string) =>
      lead.tool('chat.send_message', { ...replyTo(next, text), inReplyTo: undefined, turnId: 't' });
    wire.platform.onPost = () => 'refuse';
    expect(nameOf(await say('It is green.'))).toBe('not_delivered');
    wire.platform.onPost = () => 'show';
    expect(nameOf(await say('Green.'))).toBe('ok');
    expect(nameOf(await say('And fast.'))).toBe('budget_spent');
  });

  it('carry a send elsewhere, also when it names no event', async () => {
    const sensitive = [{ reason: 'it leaves the room', elsewhere: true }];
    const { wire, agent: lead } = await hostWith(way, 'lead', { host: { sensitive } });
    await wire.say('hello', { in: 'other' });
    const seen = await asked(wire, lead);
    await lead.request('turn/started', { turnId: 't', eventIds: [seen.eventId] });
    const there = { target: 'channel:other', inReplyTo: undefined, turnId: 't', directedness: 'ambient' };
    const sent = await lead.tool('chat.send_message', {
      ...replyTo(seen, 'They ask whether it works.'),
      ...there,
    });
    expect(nameOf(sent)).toBe('needs_approval');
  });
});

const SENSITIVE: WireHostOptions = {
  host: {
    sensitive: [
      { reason: 'money', words: ['wire transfer'] },
      { reason: 'harm', pattern: 'rm -rf /' },
    ],
  },
};

/** The same words to a reader. */
const DISGUISED: readonly [what: string, text: string][] = [
  ['as it is', 'I start the wire transfer now.'],
  ['in capitals', 'I start the WIRE TRANSFER now.'],
  ['with two spaces', 'I start the wire  transfer now.'],
  ['over a line break', 'I start the wire\ntransfer now.'],
  ['with a space that does not break', 'I start the wire\u00a0transfer now.'],
  ['with a soft hyphen', 'I start the wire trans\u00adfer now.'],
  ['with zero-width characters', 'I start the w\u200bi\u200cr\u2060e tr\ufeffansfer now.'],
  ['in full width', 'I start the ｗｉｒｅ　ｔｒａｎｓｆｅｒ now.'],
  ['in mathematical letters', 'I start the 𝐰𝐢𝐫𝐞 𝐭𝐫𝐚𝐧𝐬𝐟𝐞𝐫 now.'],
  ['with accents', 'I start the wïré tránsfer now.'],
  ['with combining marks', 'I start the wi\u0338r\u20d2e tran\u1ab0sfer now.'],
  ['turned round by controls', 'I start the \u202dwire transfer\u202c now.'],
  ['a pattern with a zero-width character', 'Run rm -r\u200bf / then.'],
  ['a pattern in full width', 'Run ｒｍ －ｒｆ ／ then.'],
];

describe('a sensitive word', () => {
  it.each(DISGUISED)('waits for a person %s', async (_, text) => {
    const { wire, agent: lead } = await hostWith('pull', 'lead', SENSITIVE);
    const seen = await asked(wire, lead);
    expect(nameOf(await lead.reply(seen, text))).toBe('needs_approval');
    await wire.pass(1_000);
    expect(wire.platform.texts()).not.toContain(text);
  });
});

describe.each(WAYS)('visibility, over %s', (way) => {
  const PUBLIC = { sensitive: [{ reason: 'everybody reads it', visibility: ['channel'] }] };

  it('is that of the place, whatever is declared', async () => {
    const { wire, agent: lead } = await hostWith(way, 'lead', { host: PUBLIC });
    const seen = await asked(wire, lead);
    const declared = { ...replyTo(seen, 'The salary is 4,200.'), visibility: 'thread' };
    expect(nameOf(await lead.tool('chat.send_message', declared))).toBe('needs_approval');
  });

  it('lets pass what is said in a thread, whatever is declared', async () => {
    const { wire, agent: lead } = await hostWith(way, 'lead', { host: PUBLIC });
    const eventId = await wire.say('@lead is it blocked?', { in: 'T1', thread: 'general' });
    await wire.pass(3_000);
    const seen = await lead.next((one) => one.eventId === eventId, 'the question');
    const declared = { ...replyTo(seen, 'It is not.'), target: 'thread:T1', visibility: 'channel' };
    expect(nameOf(await lead.tool('chat.send_message', declared))).toBe('ok');
    await wire.pass(1_000);
    expect(wire.platform.shown).toMatchObject([{ text: 'It is not.', visibility: 'thread' }]);
  });
});

async function pairingCode(wire: WireHost): Promise<string> {
  const operator = await wire.token('operator', 'ops');
  const { body } = await wire.call('POST', '/v1/pairings', operator, { role: 'owner' });
  return String(body['code']);
}

/** The roles with which the newest message of this author was logged. */
async function rolesOf(wire: WireHost, eventId: string): Promise<unknown> {
  const row = await wire.host.context.store.get('log', eventId);
  return row?.record.facts.authorRoles ?? [];
}

describe.each(WAYS)('an agent that sends a pairing code over %s', (way: Way) => {
  it.each([
    ['as it is', (code: string) => code],
    ['in small letters', (code: string) => ` ${code.toLowerCase()} `],
    ['with a zero-width character', (code: string) => code.replace('-', '\u200b-')],
  ])('%s gets no role and nothing is posted, and the code stays good for a person', async (_, written) => {
    const { wire, agent: lead } = await hostWith(way, 'lead');
    const code = await pairingCode(wire);
    const seen = await asked(wire, lead);
    expect(nameOf(await lead.reply(seen, written(code)))).toBe('forbidden');
    expect(await lead.reply(seen, 'It is not.')).toMatchObject({ ok: true });
    await wire.pass(1_000);
    expect(wire.platform.texts()).toEqual(['It is not.']);
    await wire.say(code, { by: 'ada' });
    const said = await wire.say('hello', { by: 'ada' });
    expect(await rolesOf(wire, said)).toEqual(['owner']);
  });
});

it('a code that a platform tells of an agent, or of somebody else’s bot, pairs nobody', async () => {
  const { wire } = await hostWith('pull', 'lead');
  const code = await pairingCode(wire);
  for (const by of ['lead', 'ci']) {
    await wire.say(code, { by, byKind: 'agent' });
    expect(await rolesOf(wire, await wire.say('hello', { by, byKind: 'agent' }))).toEqual([]);
  }
  await wire.say(code, { by: 'ada' });
  expect(await rolesOf(wire, await wire.say('hello', { by: 'ada' }))).toEqual(['owner']);
});

it('an agent has no roles of a person whose account has its id', async () => {
  const { wire } = await hostWith('pull', 'builder');
  await wire.say(await pairingCode(wire), { by: 'ada' });
  expect(await rolesOf(wire, await wire.say('hello', { by: 'ada', byKind: 'agent' }))).toEqual([]);
});

it('an account of another platform does not read like one that was paired', async () => {
  const { wire } = await hostWith('pull', 'lead', { sources: [{ id: 'hub', platform: 'hub' }] });
  const hub = await wire.token('surface', 'hub');
  const code = await pairingCode(wire);
  const place = { platform: 'hub', workspaceId: 'acme/app' };
  await wire.call('POST', '/v1/events', hub, wire.event(code, { by: 'ada', in: 'R1', more: place }));
  const other = await wire.token('surface', 'other');
  const forged = wire.event('hello', {
    by: 'ada',
    in: 'R2',
    more: { platform: 'hub/acme', workspaceId: 'app' },
  });
  const { body } = await wire.call('POST', '/v1/events', other, forged);
  const [result] = body['events'] as { eventId: string; status: string }[];
  expect(result?.status).toBe('accepted');
  expect(await rolesOf(wire, result?.eventId ?? '')).toEqual([]);
});

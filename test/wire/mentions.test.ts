// Whom a message mentions, as the harness reads it: also what is only in the text, also by an account of the agent, and
// however the platform writes or takes that account.
import { describe, expect, it } from 'vitest';
import { hostWith, type Seen, WAYS } from './ways.ts';

const OPTIONS = {
  agents: [
    { id: 'lead', accounts: ['U0LEAD', '@lead:chat.example'], roles: ['ops'] },
    { id: 'builder', accounts: ['U0BUILD'] },
  ],
};
const TURNS = { onTurn: () => 'Noted.' };

/** The full envelope has them under `target`, the SDK's event on itself. */
function mentionsOf({ raw }: Seen): unknown {
  const target = raw['target'] as { mentions?: string[] } | undefined;
  return target?.mentions ?? raw['mentions'];
}

const LEAD = ['agent:lead'];
const LINES: [string, Record<string, unknown>, readonly string[]][] = [
  ['@lead is it green?', {}, LEAD],
  ['lead: is it green?', {}, LEAD],
  ['is it green?', { mentions: [{ kind: 'human', id: 'U0LEAD' }] }, LEAD],
  ['is it green?', { mentions: [{ kind: 'agent', id: 'U0LEAD' }] }, LEAD],
  ['<@U0LEAD> is it green?', {}, LEAD],
  ['hey <@!U0LEAD>, is it green?', {}, LEAD],
  ['<@U0LEAD|lead> is it green?', {}, LEAD],
  ['@U0LEAD is it green?', {}, LEAD],
  ['@lead:chat.example is it green?', {}, LEAD],
  ['[Lead](https://matrix.to/#/@lead:chat.example) is it green?', {}, LEAD],
  ['**@lead** is it green?', {}, LEAD],
  ['<@U0LEAD> and @builder, is it green?', {}, [...LEAD, 'agent:builder']],
  ['@lead ask @bob', { mentions: [{ kind: 'human', id: 'bob' }] }, ['human:bob', ...LEAD]],
];

describe.each(WAYS)('over %s', (way) => {
  it('lists the mentions of platform and text, and takes an account for its agent [C2A-06-02/envelope/mentions-and-recipient, C2A-06-02/directedness/from-mentions]', async () => {
    const { wire, agent: lead } = await hostWith(way, 'lead', OPTIONS, TURNS);
    for (const [index, [text, more, mentions]] of LINES.entries()) {
      const eventId = await wire.say(text, { by: `visitor${index}`, more });
      await wire.pass(4_000);
      const seen = await lead.next((one) => one.eventId === eventId, text);
      expect(seen.policy).toBe('must_respond');
      // What a model sees over MCP has no list of mentions.
      if (way !== 'mcp') expect([text, mentionsOf(seen)]).toEqual([text, mentions]);
    }
  });
});

it('the tools that list events have the same, with roles and broadcasts', async () => {
  const { wire, agent: lead } = await hostWith('websocket', 'lead', OPTIONS);
  const texts = [
    '@ops who looks?',
    '<@&ops> who looks?',
    '@here lunch',
    '<@U0LEAD> look',
    'see `@lead`',
    '> @lead\nno',
    'see https://chat.example/@lead',
  ];
  for (const text of texts) await wire.say(text);
  const answer = await lead.tool('chat.list_events', { target: 'channel:general' });
  const events = (answer.ok ? answer.result['events'] : []) as { mentions?: string[] }[];
  const listed = new Map(events.map((event) => [textOf(event), event.mentions]));
  expect(texts.map((text) => listed.get(text))).toEqual([
    ['role:ops'],
    ['role:ops'],
    ['broadcast:here'],
    ['agent:lead'],
    undefined,
    undefined,
    undefined,
  ]);
});

function textOf(event: object): string {
  const [part] = (event as { content?: { text: string }[] }).content ?? [];
  return part?.text ?? '';
}

it('a person whose id is an agent’s id is that person', async () => {
  const { wire } = await hostWith('websocket', 'lead', OPTIONS);
  const eventId = await wire.say('is it green?', { more: { mentions: [{ kind: 'human', id: 'builder' }] } });
  expect((await wire.why(eventId, 'builder')).decision).toMatchObject({ directedness: 'to_other' });
});

it('the platform’s word is final where it resolves mentions [C2A-06-02/directedness/from-mentions]', async () => {
  const { wire } = await hostWith('websocket', 'lead', OPTIONS);
  const told = async (text: string, mentions: readonly object[]): Promise<unknown> => {
    const more = { mentions, mentionsResolved: true };
    return (await wire.why(await wire.say(text, { more }), 'lead')).decision?.policy;
  };
  expect(await told('@lead is it green?', [])).toBe('must_not_respond');
  expect(await told('@Lead Smith is it green?', [{ kind: 'human', id: 'U77' }])).toBe('must_not_respond');
  expect(await told('is it green?', [{ kind: 'human', id: 'U0LEAD' }])).toBe('must_respond');
});

describe.each(WAYS)('over %s', (way) => {
  it('a call of an account that two agents share is for the one that is named beside it [C2A-06-02/directedness/from-mentions]', async () => {
    const agents = ['lead', 'builder'].map((id) => ({ id, accounts: ['U0APP'] }));
    const attention = { conversations: [{ match: '*', defaultResponder: 'builder' }] };
    const { wire, agent: lead } = await hostWith(way, 'lead', { agents, attention }, TURNS);
    const more = { mentions: [{ kind: 'agent', id: 'U0APP' }], mentionsResolved: true };
    const eventId = await wire.say('@app lead: is it green?', { more });
    await wire.pass(4_000);
    const seen = await lead.next((one) => one.eventId === eventId);
    expect(seen.policy).toBe('must_respond');
    expect((await wire.why(eventId, 'lead')).headline).toContain('at the front door: named beside it');
    expect((await wire.why(eventId, 'builder')).decision).toMatchObject({ policy: 'must_not_respond' });
  });
});

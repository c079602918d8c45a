import { describe, expect, it } from 'vitest';
import { attentionSettingsSchema } from '../../../src/attention/index.ts';
import { createNames } from '../../../src/host/web-chat/names.ts';
import { channelId, directId, webDirectParties, personMaySee } from '../../../src/host/web-chat/places.ts';

const settings = attentionSettingsSchema.parse({
  agents: [
    { id: 'lead', name: 'Lead', roles: ['oncall'] },
    { id: 'lead-2', aliases: ['Build Bot'] },
    { id: 'max' },
  ],
});
const people = new Map(
  [
    { id: 'ada', name: 'Ada Lovelace' },
    { id: 'ada.b', name: 'Ada' },
    { id: 'max', name: 'Max' },
    { id: 'jo', name: '조' },
  ].map((person) => [person.id, person]),
);
const names = createNames(settings, people);
const said = (text: string): string[] => names.mentionsIn(text).map(({ kind, id }) => `${kind}:${id}`);

describe('what follows an @', () => {
  it.each([
    ['@lead hi', ['agent:lead']],
    ['@LEAD hi', ['agent:lead']],
    ['@lead-2 hi', ['agent:lead-2']],
    ['hey @build bot, build', ['agent:lead-2']],
    ['@Ada Lovelace and @ada', ['human:ada']],
    ['@ada.b?', ['human:ada.b']],
    ['@조 안녕', ['human:jo']],
    [
      '@oncall @here @channel @everyone',
      ['role:oncall', 'broadcast:here', 'broadcast:channel', 'broadcast:everyone'],
    ],
    ['mail ada@lead.example', []],
    ['lead, ada: no sign, no mention', []],
    ['@nobody', []],
    ['@leader', []],
  ])('%s', (text, expected) => {
    expect(said(text)).toEqual(expected);
  });

  it('is the agent where an agent and a person have one name', () => {
    expect(said('@max')).toEqual(['agent:max']);
  });

  it('keeps at most as many mentions as an event holds', () => {
    const many = attentionSettingsSchema.parse({
      agents: Array.from({ length: 90 }, (_, n) => ({ id: `agent-${n}x` })),
    });
    const text = many.agents.map(({ id }) => `@${id}`).join(' ');
    expect(createNames(many, new Map()).mentionsIn(text)).toHaveLength(64);
  });

  it('shows people and agents by the names they have now, and others by those they had', () => {
    expect(names.author({ id: 'ada', kind: 'human', displayName: 'Old Name' }).name).toBe('Ada Lovelace');
    expect(names.author({ id: 'lead', kind: 'agent' }).name).toBe('Lead');
    expect(names.author({ id: 'gone', kind: 'human', displayName: 'Grace\n\u202e' }).name).toBe('Grace');
  });
});

describe('direct messages', () => {
  it('have one id from either side, and are for their parties', () => {
    const id = directId('ada', { kind: 'human', id: 'bob' });
    expect(directId('bob', { kind: 'human', id: 'ada' })).toBe(id);
    expect([personMaySee('ada', id), personMaySee('bob', id), personMaySee('eve', id)]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it.each(['2fa-bot', 'zed', 'ada'])('with the agent %s are not taken for one with a person', (agent) => {
    const id = directId('ada', { kind: 'agent', id: agent });
    expect(webDirectParties(id)).toEqual([
      { kind: 'human', id: 'ada' },
      { kind: 'agent', id: agent },
    ]);
    expect(personMaySee(agent, id)).toBe(agent === 'ada');
  });

  it.each(['dm:lead:builder', 'dm:ada:@bob', 'dm:@ada', 'dm:@ada:@bob:@eve', 'general'])(
    'are not %s',
    (id) => {
      expect(webDirectParties(id)).toBeUndefined();
    },
  );
});

describe('the id of a channel', () => {
  it.each([
    ['Release Notes', 'release-notes'],
    ['  --a__b--  ', 'a-b'],
    ['dm:@ada:@bob', 'dm-ada-bob'],
    ['Über/../uns', 'über-uns'],
    ['릴리스 노트', '릴리스-노트'],
    ['🎉', ''],
    ['../..', ''],
  ])('of %j is %j', (name, id) => {
    expect(channelId(name)).toBe(id);
  });
});

import { describe, expect, it } from 'vitest';
import type { PlaceRule } from '../../attention/place-dial.ts';
import type { ShownConversation } from '../../protocol/operator-api.ts';
import { type RoomDial, roomDialEdits, roomDialsOf, roomTitles, wordsForAll } from './room-dials.ts';

const AGENTS = [{ id: 'lead', attention: 'keen' }, { id: 'ops' }, { id: 'docs' }];
const builds = (id = 'builds', parentId?: string): RoomDial['place'] => ({
  platform: 'web',
  workspaceId: 'local',
  conversation: { id, ...(parentId === undefined ? {} : { parentId }) },
});
const there = (value: string, agent = 'lead', place = builds()): RoomDial => ({
  agent,
  match: `web/local/${place?.conversation.id}`,
  value,
  ...(place === undefined ? {} : { place }),
});
const edits = (rules: readonly PlaceRule[], after: readonly RoomDial[]) =>
  roomDialEdits(rules, AGENTS, roomDialsOf(rules), after);

const back = (rules: readonly PlaceRule[]) => edits(rules, [there('')]);

describe('a dial in one conversation', () => {
  it('is a rule of its own where there is none', () => {
    expect(edits([], [there('quiet')])).toEqual([
      {
        op: 'add',
        path: ['conversations'],
        value: { match: 'web/local/builds', attention: { lead: 'quiet' } },
        before: 0,
      },
    ]);
  });

  it('stands before the rule that counts there, and says the same about the rest', () => {
    const rules: PlaceRule[] = [
      { match: 'other' },
      { match: '*', mode: 'follow', attention: 'quiet' },
      { match: 'web/*/builds', openFloor: true },
    ];
    expect(edits(rules, [there('30')])).toEqual([
      {
        op: 'add',
        path: ['conversations'],
        value: {
          match: 'web/local/builds',
          mode: 'follow',
          attention: { ops: 'quiet', docs: 'quiet', lead: 30 },
        },
        before: 1,
      },
    ]);
  });

  it('goes into the rule of the room, and a second agent into the same', () => {
    const rules: PlaceRule[] = [{ match: 'web/local/builds', mode: 'follow' }];
    expect(edits(rules, [there('quiet'), there('keen', 'ops')])).toEqual([
      { op: 'set', path: ['conversations', 0, 'attention'], value: { lead: 'quiet' } },
      { op: 'set', path: ['conversations', 0, 'attention'], value: { lead: 'quiet', ops: 'keen' } },
    ]);
    expect(edits([], [there('quiet'), there('keen', 'ops')])).toMatchObject([
      { op: 'add', value: { attention: { lead: 'quiet' } }, before: 0 },
      { op: 'set', path: ['conversations', 0, 'attention'], value: { lead: 'quiet', ops: 'keen' } },
    ]);
  });

  it('of a thread stands before the rule of its room', () => {
    const rules: PlaceRule[] = [{ match: 'web/local/builds', mode: 'follow' }];
    expect(edits(rules, [there('quiet', 'lead', builds('t1', 'builds'))])).toMatchObject([
      { op: 'add', value: { match: 'web/local/t1', mode: 'follow' }, before: 0 },
    ]);
  });

  it('changes where it is, and is nothing while nothing is chosen or its agent goes', () => {
    const rules: PlaceRule[] = [{ match: '*/*/builds', attention: { lead: 'quiet', gone: 5 } }];
    const [lead] = roomDialsOf(rules) as [RoomDial];
    expect(edits(rules, [{ ...lead, value: ' many ' }])).toEqual([
      { op: 'set', path: ['conversations', 0, 'attention', 'lead'], value: 'many' },
    ]);
    expect(edits(rules, [lead, there('', 'ops'), there('5', 'gone')])).toEqual([]);
  });
});

describe('taking it back', () => {
  it('leaves what the rule says about others', () => {
    const rules: PlaceRule[] = [
      { match: 'web/local/builds', mode: 'follow', attention: { lead: 'quiet', ops: 3 } },
    ];
    expect(back(rules)).toEqual([{ op: 'remove', path: ['conversations', 0, 'attention', 'lead'] }]);
  });

  it('takes the rule away that says only what the next one says', () => {
    const rules: PlaceRule[] = [
      { match: 'web/local/builds', attention: { lead: 'quiet' }, mode: 'follow' },
      { match: '*', mode: 'follow' },
    ];
    expect(back(rules)).toEqual([{ op: 'remove', path: ['conversations', 0] }]);
    expect(back(rules.slice(0, 1))).toEqual([
      { op: 'remove', path: ['conversations', 0, 'attention', 'lead'] },
    ]);
    expect(back([{ match: 'web/local/builds', attention: { lead: 'quiet' } }])).toEqual([
      { op: 'remove', path: ['conversations', 0] },
    ]);
  });

  it('of two in one rule takes it away with the second', () => {
    const rules: PlaceRule[] = [{ match: 'web/local/builds', attention: { lead: 'quiet', ops: 3 } }];
    expect(edits(rules, [there(''), there('', 'ops')])).toEqual([
      { op: 'remove', path: ['conversations', 0, 'attention', 'lead'] },
      { op: 'remove', path: ['conversations', 0] },
    ]);
  });
});

it('one word for all counts for an agent without its own', () => {
  const rules: PlaceRule[] = [
    { match: 'a', attention: 'quiet' },
    { match: 'b', attention: { lead: 'keen' } },
  ];
  expect(wordsForAll(rules)).toEqual([{ match: 'a', value: 'quiet' }]);
});

const room = (workspaceId: string, id: string, title: string): ShownConversation =>
  ({ platform: 'slack', workspaceId, conversation: { id, kind: 'channel', title } }) as ShownConversation;

it('two rooms of one name are told apart', () => {
  const titles = roomTitles([
    room('T1', 'C1', 'builds'),
    room('T2', 'C1', 'builds'),
    room('T2', 'C2', 'docs'),
  ]);
  expect([...titles]).toEqual([
    ['slack/T1/C1', '#builds (slack/T1)'],
    ['slack/T2/C1', '#builds (slack/T2)'],
    ['slack/T2/C2', '#docs'],
  ]);
});

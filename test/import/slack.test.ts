// A Slack export as events: what each kind of message becomes, what is left out, and that nothing stops the rest.
import { describe, expect, it } from 'vitest';
import { accountOf, imported, onDisk, zipped } from './made-export.ts';

const USERS = [
  { id: 'U1', team_id: 'T1', name: 'ada', profile: { display_name: 'Ada' } },
  { id: 'U2', team_id: 'T1', name: 'grace', real_name: 'Grace Hopper', profile: { display_name: '' } },
  { id: 'UB', team_id: 'T1', name: 'deploy', is_bot: true, profile: { real_name: 'Deploy Bot' } },
];
const CHANNELS = [{ id: 'C1', name: 'general', members: ['U1', 'U2', 'UB'] }];
const DMS = [
  { id: 'D1', members: ['U1', 'U2'] },
  { id: 'D2', members: ['U1', 'UB'] },
];
const MPIMS = [
  { id: 'G1', name: 'mpdm-ada--grace--deploy-1', members: ['U1', 'U2', 'UB'] },
  { id: 'G2', name: 'mpdm-ada--grace-1', members: ['U1', 'U2'] },
];
const LISTS: [string, unknown][] = [
  ['users.json', USERS],
  ['channels.json', CHANNELS],
  ['groups.json', [{ id: 'C9', name: 'secret', members: ['U1', 'UB'] }]],
  ['dms.json', DMS],
  ['mpims.json', MPIMS],
  ['integration_logs.json', []],
];
const TS = '1790812800.000100';
const AT = 1_790_812_800_000;

function said(more: Record<string, unknown> = {}): Record<string, unknown> {
  return { type: 'message', ts: TS, user: 'U1', text: 'hello', ...more };
}

/** The messages of one channel and day. */
async function from(messages: unknown, folder = 'general') {
  return imported(
    'slack',
    onDisk([
      ...LISTS,
      ['general/2026-09-30.json', [said({ ts: '1790800000.000100' })]],
      [`${folder}/2026-10-01.json`, messages],
    ]),
  );
}

describe('a message', () => {
  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    [
      'has its author, its place and its time',
      {},
      {
        eventId: TS,
        at: AT,
        platform: 'slack',
        workspaceId: 'T1',
        text: 'hello',
        conversation: { id: 'C1', kind: 'channel', title: '#general' },
        author: { id: 'U1', kind: 'human', displayName: 'Ada' },
        membership: { humans: 2, agents: 1, complete: true },
      },
    ],
    [
      'in a thread belongs to the thread',
      { thread_ts: '1790800000.000100' },
      {
        conversation: { id: '1790800000.000100', kind: 'thread', parentId: 'C1' },
      },
    ],
    [
      'that has replies is still in the channel',
      { thread_ts: TS, reply_count: 2 },
      { conversation: { id: 'C1', kind: 'channel', title: '#general' } },
    ],
    [
      'has its mentions as names',
      { text: 'hi <@UB> and <@U2>, see <#C1|general> &amp; <https://x.test|this> <!here>' },
      {
        text: 'hi @Deploy Bot and @Grace Hopper, see #general & this (https://x.test) @here',
        mentions: [
          { kind: 'agent', id: 'UB' },
          { kind: 'human', id: 'U2' },
          { kind: 'broadcast', id: 'here' },
        ],
      },
    ],
    [
      'of an app is an agent’s',
      { user: 'UB', bot_id: 'B1' },
      { author: { id: 'UB', kind: 'agent', displayName: 'Deploy Bot' } },
    ],
    [
      'of a webhook is the platform’s',
      { user: undefined, subtype: 'bot_message', bot_id: 'B7', username: 'CI' },
      { author: { id: 'B7', kind: 'system', displayName: 'CI' } },
    ],
    [
      'of somebody unlisted has the name that it brings',
      { user: 'UX', user_profile: { display_name: 'Eve' } },
      { author: { id: 'UX', kind: 'human', displayName: 'Eve' } },
    ],
    ['of somebody unknown has the id', { user: 'UX' }, { author: { id: 'UX', kind: 'human' } }],
    [
      'has its files',
      {
        files: [
          { id: 'F1', name: 'a.png', mimetype: 'image/png', size: 12 },
          { id: 'F2', mode: 'tombstone' },
        ],
      },
      {
        attachments: [
          { id: 'F1', kind: 'image', name: 'a.png', bytes: 12 },
          { id: 'F2', kind: 'file' },
        ],
      },
    ],
  ])('%s', async (_, more, expected) => {
    const { events } = await from([said(more)]);
    expect(events.at(-1)).toMatchObject({ type: 'message', ...expected });
  });

  it('is cut where it is longer than an event may be', async () => {
    const { events } = await from([said({ text: 'x'.repeat(150_000) })]);
    expect((events.at(-1) as { text: string }).text).toHaveLength(65_536);
  });
});

describe('what else there is', () => {
  it('reactions follow their message, in its conversation, where they stand for a signal', async () => {
    const reactions = [
      { name: '+1::skin-tone-2', users: ['U2', 'UB'], count: 2 },
      { name: 'tada', users: ['U2'], count: 1 },
    ];
    const { events, summary } = await from([said({ thread_ts: '1790800000.000100', reactions })]);
    expect(events.slice(-2)).toMatchObject([
      {
        type: 'reaction',
        signal: 'agree',
        targetEventId: TS,
        at: AT,
        conversation: { kind: 'thread', parentId: 'C1' },
        author: { id: 'U2', kind: 'human' },
      },
      { type: 'reaction', signal: 'agree', author: { id: 'UB', kind: 'agent' } },
    ]);
    expect(accountOf(summary)['reactions']).toEqual({ tada: 1 });
  });

  it('edits and deletes are told where the export has them', async () => {
    const { events, summary } = await from([
      said({ text: 'first' }),
      {
        type: 'message',
        subtype: 'message_changed',
        ts: '1790812810.000100',
        message: said({ text: 'second', edited: { user: 'U1', ts: '1790812810.000000' } }),
        original: said({ text: 'first' }),
      },
      {
        type: 'message',
        subtype: 'message_deleted',
        ts: '1790812820.000100',
        deleted_ts: TS,
        original: said({ text: 'second' }),
      },
      said({ ts: '1790812830.000100', edited: { user: 'U1', ts: '1790812831.000000' } }),
      said({ ts: '1790812840.000100', subtype: 'tombstone', user: 'USLACKBOT' }),
    ]);
    expect(events.slice(1)).toMatchObject([
      { type: 'message', text: 'first' },
      { type: 'edit', targetEventId: TS, text: 'second', at: AT + 10_000 },
      { type: 'delete', targetEventId: TS, at: AT + 20_000 },
      { type: 'message', text: 'hello' },
    ]);
    expect(accountOf(summary)).toMatchObject({ edited: { '#general': 1 }, deleted: { tombstone: 1 } });
  });

  it('an edit that changes no word is none', async () => {
    const changed = {
      type: 'message',
      subtype: 'message_changed',
      ts: '1790812810.000100',
      message: said(),
      original: said(),
    };
    const { events, summary } = await from([said(), changed]);
    expect(events.slice(1).map(({ type }) => type)).toEqual(['message']);
    expect(accountOf(summary)['notices']).toEqual({ message_changed: 1 });
  });

  it('joins and other notices are counted by name', async () => {
    const { events, summary } = await from([
      said({ subtype: 'channel_join' }),
      said({ subtype: 'channel_join', ts: '1790812801.000100' }),
      said({ subtype: 'channel_topic' }),
      { type: 'canvas', ts: TS },
    ]);
    expect(events).toHaveLength(1);
    expect(accountOf(summary)['notices']).toEqual({ channel_join: 2, channel_topic: 1, canvas: 1 });
  });
});

describe('direct messages', () => {
  it('with an app are for the app, and the app’s are for the person', async () => {
    const { events } = await from([said(), said({ ts: '1790812801.000100', user: 'UB' })], 'D2');
    expect(events.slice(1)).toMatchObject([
      { conversation: { id: 'D2', kind: 'dm', title: 'Ada, Deploy Bot' }, recipients: ['UB'] },
      { author: { id: 'UB' }, recipients: ['U1'] },
    ]);
  });

  it('of several are a channel, when an app is in it', async () => {
    const { events } = await from([said()], 'mpdm-ada--grace--deploy-1');
    expect(events.at(-1)).toMatchObject({ conversation: { id: 'G1', kind: 'channel' } });
    expect(events.at(-1)).not.toHaveProperty('recipients');
  });

  it.each([
    ['D1', 'two people'],
    ['mpdm-ada--grace-1', 'two people'],
  ])('between people are left out: %s', async (folder, name) => {
    const { events, summary } = await from([said()], folder);
    expect(events).toHaveLength(1);
    expect(accountOf(summary)['direct']).toEqual({ [name]: 1 });
  });
});

it('comes in the order of time, over all channels', async () => {
  const { events } = await imported(
    'slack',
    onDisk([
      ...LISTS,
      ['general/2026-10-02.json', [said({ ts: '1790900002.000100' }), said({ ts: '1790900000.000100' })]],
      ['secret/2026-10-02.json', [said({ ts: '1790900001.000100' })]],
      ['secret/2026-10-01.json', [said({ ts: '1790812900.000100' })]],
    ]),
  );
  expect(events.map(({ at }) => Number(at) / 1_000)).toEqual([
    1790812900, 1790900000, 1790900001, 1790900002,
  ]);
});

it('reads the zip as it reads the folder, also when everything is inside one folder', async () => {
  const files: [string, unknown][] = [...LISTS, ['general/2026-10-01.json', [said()]]];
  const inside = files.map(([path, content]) => [`Acme Slack export/${path}`, content] as [string, unknown]);
  const [folder, zip, nested] = [
    await imported('slack', onDisk(files)),
    await imported('slack', zipped(files)),
    await imported('slack', zipped([...inside, ['__MACOSX/users.json', 'x']])),
  ];
  expect(folder.events).toHaveLength(1);
  expect(zip.events).toEqual(folder.events);
  expect(nested.events).toEqual(folder.events);
});

describe('bad input does not stop the rest', () => {
  it.each<[string, string, unknown, string]>([
    ['a broken day', 'general/2026-10-02.json', '[{"text": "secret words", ', 'it is no valid JSON'],
    ['a day that is no list', 'general/2026-10-02.json', { messages: [] }, 'expected a list of messages'],
    ['a broken list of users', 'users.json', '{', 'it is no valid JSON'],
  ])('%s is named and counted, without a word of it', async (_, path, content, said_) => {
    const files = new Map<string, unknown>([
      ...LISTS,
      ['general/2026-10-01.json', [said()]],
      [path, content],
    ]);
    const { events, summary, err } = await imported('slack', onDisk(files));
    expect(events).toHaveLength(1);
    expect(err).toContain(`${path}: ${said_}`);
    expect(err).not.toContain('secret words');
    expect(accountOf(summary)['files']).toEqual({ [said_]: 1 });
  });

  it('a path of the export reaches the terminal as text alone', async () => {
    const files: [string, unknown][] = [
      ...LISTS,
      ['general/2026-10-01.json', [said()]],
      ['\u001B[31mred\u202E/2026-10-02.json', '{'],
    ];
    const { err } = await imported('slack', zipped(files));
    expect(err).toContain('red');
    for (const control of ['\u001B', '\u202E']) expect(err).not.toContain(control);
  });

  it('messages that are none are counted by what is wrong with them', async () => {
    const { events, summary } = await from([
      null,
      7,
      {},
      { ts: 'noon', text: 'x' },
      said({ user: 9 }),
      said(),
    ]);
    expect(events).toHaveLength(2);
    expect(accountOf(summary)['malformed']).toEqual({ 'no object': 2, ts: 2, user: 1 });
  });

  it('people, channels and files that nothing lists are counted', async () => {
    const { summary } = await imported(
      'slack',
      onDisk([...LISTS, ['gone/2026-10-01.json', [said({ user: 'UX' })]], ['general/canvas.json', []]]),
    );
    expect(accountOf(summary)).toMatchObject({
      strangers: { UX: 1 },
      rooms: { gone: 1 },
      others: { 'canvas.json': 1 },
    });
  });
});

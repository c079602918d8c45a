// Discord exports as events: channels of DiscordChatExporter, and the data package.
import { describe, expect, it } from 'vitest';
import { earshot } from '../replay/fake-io.ts';
import { accountOf, imported, onDisk, zipped } from './made-export.ts';

const ADA = { id: '11', name: 'ada', nickname: 'Ada', discriminator: '0', isBot: false };
const BOT = { id: '99', name: 'Lead', nickname: null, discriminator: '4242', isBot: true };
const HOOK = { id: '77', name: 'CI', nickname: null, discriminator: '0000', isBot: true };

function said(more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id: '1001',
    type: 'Default',
    timestamp: '2026-10-01T10:00:00.5+02:00',
    timestampEdited: null,
    content: 'hello',
    author: ADA,
    attachments: [],
    embeds: [],
    reactions: [],
    mentions: [],
    ...more,
  };
}

function channel(messages: unknown[], more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    guild: { id: '5', name: 'Acme' },
    channel: {
      id: '50',
      type: 'GuildTextChat',
      categoryId: '1',
      category: 'Text',
      name: 'general',
      topic: null,
      ...more,
    },
    dateRange: { after: null, before: null },
    messages,
    messageCount: messages.length,
  };
}

const from = (messages: unknown[], more: Record<string, unknown> = {}) =>
  imported(
    'discord',
    onDisk([
      ['general.json', channel(messages, more)],
      ['other.json', channel([said({ id: '1', timestamp: '2026-09-01T00:00:00Z' })], { id: '51' })],
    ]),
  );

describe('a message', () => {
  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    [
      'has its author, its place and its time',
      {},
      {
        eventId: '1001',
        at: Date.UTC(2026, 9, 1, 8) + 500,
        platform: 'discord',
        workspaceId: '5',
        text: 'hello',
        conversation: { id: '50', kind: 'channel', title: '#general' },
        author: { id: '11', kind: 'human', displayName: 'Ada' },
      },
    ],
    [
      'has the mentions that the export says',
      { content: 'hi @Lead', mentions: [BOT] },
      { text: 'hi @Lead', mentions: [{ kind: 'agent', id: '99' }] },
    ],
    [
      'has the mentions of raw text as names',
      { content: '<@!99> in <#50>, <@&3> <:ship:12> <t:0:R>', mentions: [BOT] },
      {
        text: '@Lead in #general, @3 :ship: 1970-01-01T00:00:00.000Z',
        mentions: [
          { kind: 'agent', id: '99' },
          { kind: 'role', id: '3' },
        ],
      },
    ],
    [
      'of an app is an agent’s',
      { author: BOT },
      { author: { id: '99', kind: 'agent', displayName: 'Lead' } },
    ],
    [
      'of a webhook is the platform’s',
      { author: HOOK, content: '', embeds: [{ title: 'Build', description: 'passed' }] },
      { author: { id: '77', kind: 'system' }, text: 'passed' },
    ],
    [
      'has its files',
      { attachments: [{ id: '7', url: 'x', fileName: 'clip.mp4', fileSizeBytes: 5 }] },
      { attachments: [{ id: '7', kind: 'video', name: 'clip.mp4', bytes: 5 }] },
    ],
  ])('%s', async (_, more, expected) => {
    const { events } = await from([said(more)]);
    expect(events.at(-1)).toMatchObject({ type: 'message', ...expected });
  });

  it('that replies names what it replies to, and whose that is', async () => {
    const { events } = await from([
      said({ author: BOT }),
      said({ id: '1002', type: 'Reply', reference: { messageId: '1001', channelId: '50' } }),
    ]);
    expect(events.at(-1)).toMatchObject({ replyTo: { eventId: '1001', authorId: '99' } });
  });
});

it('a thread is a conversation of its own, whose parent is the channel', async () => {
  const { events } = await from([said()], {
    id: '900',
    type: 'GuildPublicThread',
    categoryId: '50',
    name: 'the plan',
  });
  expect(events.at(-1)).toMatchObject({
    conversation: { id: '900', kind: 'thread', parentId: '50', title: 'the plan' },
  });
});

it('reactions are told where the export names their authors', async () => {
  const reactions = [
    { emoji: { id: '', name: '👍', code: 'thumbsup' }, count: 1, users: [ADA] },
    { emoji: { id: '', name: '✅', code: 'white_check_mark' }, count: 3 },
  ];
  const { events, summary } = await from([said({ author: BOT, reactions })]);
  expect(events.at(-1)).toMatchObject({
    type: 'reaction',
    signal: 'agree',
    targetEventId: '1001',
    author: { id: '11' },
  });
  expect(accountOf(summary)['reactions']).toEqual({ white_check_mark: 3 });
});

it('joins and pins are counted by name, and edits too', async () => {
  const { events, summary } = await from([
    said({ type: 'GuildMemberJoin' }),
    said({ id: '2', type: 'ChannelPinnedMessage' }),
    said({ id: '3', timestampEdited: '2026-10-01T10:01:00Z' }),
    { id: 'x' },
  ]);
  expect(events).toHaveLength(2);
  expect(accountOf(summary)).toMatchObject({
    notices: { GuildMemberJoin: 1, ChannelPinnedMessage: 1 },
    edited: { '#general': 1 },
    malformed: { timestamp: 1 },
  });
});

describe('direct messages', () => {
  it('with an app are for the other one', async () => {
    const { events } = await from([said(), said({ id: '1002', author: BOT })], { type: 'DirectTextChat' });
    expect(events.slice(1)).toMatchObject([
      { conversation: { kind: 'dm' }, recipients: ['99'] },
      { recipients: ['11'] },
    ]);
  });

  it('between people are left out', async () => {
    const { summary } = await from([said()], { type: 'DirectTextChat' });
    expect(accountOf(summary)['direct']).toEqual({ DirectTextChat: 1 });
  });
});

describe('the data package', () => {
  const PACKAGE: [string, unknown][] = [
    ['account/user.json', { id: '11', username: 'ada', global_name: 'Ada' }],
    ['messages/index.json', { 50: 'general in Acme' }],
    [
      'messages/c50/channel.json',
      { id: '50', type: 'GUILD_TEXT', name: 'general', guild: { id: '5', name: 'Acme' } },
    ],
    [
      'messages/c50/messages.json',
      [
        {
          ID: 1001,
          Timestamp: '2026-10-01 08:00:00',
          Contents: 'hello <@99>',
          Attachments: 'https://x.test/a/b.png?x=1',
        },
      ],
    ],
    ['messages/c60/channel.json', { id: '60', type: 'DM', recipients: ['11', '12'] }],
    [
      'messages/c60/messages.json',
      [{ ID: '1', Timestamp: '2026-10-01 08:00:00', Contents: 'psst', Attachments: '' }],
    ],
    ['messages/c70/messages.csv', 'ID,Timestamp,Contents,Attachments'],
  ];

  it('has the messages of its owner, and says so', async () => {
    const { events, summary, err } = await imported('discord', zipped(PACKAGE));
    expect(events).toMatchObject([
      {
        eventId: '1001',
        at: Date.UTC(2026, 9, 1, 8),
        author: { id: '11', displayName: 'Ada' },
        text: 'hello @99',
        attachments: [{ kind: 'image', name: 'b.png' }],
        conversation: { id: '50', kind: 'channel' },
      },
    ]);
    expect(String(summary['notes'])).toContain('one person’s messages only');
    expect(accountOf(summary)['direct']).toEqual({ DirectTextChat: 1 });
    expect(err).toContain('messages/c70/messages.csv: an older form of the package');
  });
});

it.each<[string, () => string, string]>([
  ['a Slack export', () => onDisk([['channels.json', []]]), 'for Slack write  earshot import slack'],
  [
    'any other file',
    () =>
      onDisk([
        ['notes.json', { a: 1 }],
        ['b.png', 'x'],
      ]),
    'is no Discord export',
  ],
])('%s is refused in one line', async (_, path, said_) => {
  const { code, err } = await earshot(['import', 'discord', path(), '--json']);
  expect(code).toBe(1);
  expect(err).toContain(said_);
});

import { describe, expect, it } from 'vitest';
import { sourceEventSchema } from '../../protocol/source-event.ts';
import { type Envelope, envelopeSchema } from './payload.ts';
import { type Known, readEvent } from './read-event.ts';

const AT = 1_712_345_678;
const TS = `${AT}.000100`;
const ROOT = `${AT - 50}.000700`;
const KNOWN: Known = {
  team: 'T1',
  self: { user: 'U9', bot: 'B9' },
  nameOf: (id) => ({ U1: { name: 'Ada', isBot: false }, U5: { name: 'Jira', isBot: true } })[id],
  now: AT * 1_000 + 2_000,
};

function envelope(event: Record<string, unknown>): Envelope {
  return envelopeSchema.parse({ type: 'event_callback', team_id: 'T1', event_id: 'Ev1', event });
}

const message = (more: Record<string, unknown>): Record<string, unknown> => ({
  type: 'message',
  channel: 'C1',
  user: 'U1',
  text: 'hello',
  ts: TS,
  ...more,
});
const changed = (now: Record<string, unknown>, before: Record<string, unknown> | undefined): object => ({
  type: 'message',
  subtype: 'message_changed',
  channel: 'C1',
  ts: `${AT + 1}.000200`,
  message: message(now),
  previous_message: before === undefined ? undefined : message(before),
});

function read(event: object): unknown[] {
  const result = readEvent(envelope(event as Record<string, unknown>), KNOWN);
  if (result.type !== 'events') throw new Error(JSON.stringify(result));
  // Whatever is read is an event that the host takes.
  for (const one of result.events) expect(sourceEventSchema.safeParse(one).error?.issues).toBeUndefined();
  return result.events;
}

describe('an event of Slack', () => {
  it('is a message of its channel, under its ts', () => {
    expect(read(message({}))).toEqual([
      {
        eventId: TS,
        at: AT * 1_000,
        platform: 'slack',
        workspaceId: 'T1',
        conversation: { id: 'C1', kind: 'channel' },
        author: { id: 'U1', kind: 'human', displayName: 'Ada' },
        type: 'message',
        text: 'hello',
        mentionsResolved: true,
      },
    ]);
  });

  it.each([
    ['in a thread', { thread_ts: ROOT }, { conversation: { id: ROOT, kind: 'thread', parentId: 'C1' } }],
    ['the root of one', { thread_ts: TS }, { conversation: { id: 'C1', kind: 'channel' } }],
    [
      'also sent to the channel',
      { subtype: 'thread_broadcast', thread_ts: ROOT },
      { conversation: { id: ROOT, kind: 'thread', parentId: 'C1' } },
    ],
    ['direct', { channel: 'D1', channel_type: 'im' }, { conversation: { id: 'D1', kind: 'dm' } }],
    ['of a group', { channel: 'G1', channel_type: 'mpim' }, { conversation: { id: 'G1', kind: 'channel' } }],
    ['by an app', { user: 'U5', bot_id: 'B5' }, { author: { id: 'U5', kind: 'agent', displayName: 'Jira' } }],
    [
      'by a hook',
      { subtype: 'bot_message', user: undefined, bot_id: 'B7', username: 'CI' },
      { author: { id: 'B7', kind: 'system', displayName: 'CI' } },
    ],
    ['by a stranger', { user: 'U77' }, { author: { id: 'U77', kind: 'human' } }],
    [
      'with a mention',
      { text: '<@U1> &amp; co' },
      { text: '@Ada & co', mentions: [{ kind: 'human', id: 'U1' }] },
    ],
    [
      'with files',
      {
        subtype: 'file_share',
        files: [{ id: 'F1', name: 'a.png', mimetype: 'image/png', size: 10 }, { id: 'F2' }],
      },
      {
        attachments: [
          { id: 'F1', kind: 'image', name: 'a.png', bytes: 10 },
          { id: 'F2', kind: 'file' },
        ],
      },
    ],
    [
      'in attachments only',
      { text: '', attachments: [{ fallback: 'build failed' }] },
      { text: 'build failed' },
    ],
    ['of our own', { user: 'U9', bot_id: 'B9' }, { author: { id: 'U9', kind: 'agent' }, platformId: TS }],
    [
      'of our own, by its key',
      {
        user: undefined,
        bot_id: 'B9',
        subtype: 'bot_message',
        username: 'Lead',
        metadata: { event_type: 'earshot', event_payload: { key: 'lead:k1' } },
      },
      { author: { id: 'U9', kind: 'agent', displayName: 'Lead' }, platformId: TS, echoOf: 'lead:k1' },
    ],
  ])('may be a message %s', (_, more, wanted) => {
    expect(read(message(more))).toMatchObject([{ type: 'message', ...wanted }]);
  });

  it('of somebody else has no mark, whatever its metadata says', () => {
    const [event] = read(message({ metadata: { event_type: 'earshot', event_payload: { key: 'lead:k1' } } }));
    expect(event).not.toHaveProperty('echoOf');
    expect(event).not.toHaveProperty('platformId');
  });

  it('that comes late is told as missed', () => {
    const late = { ...KNOWN, now: KNOWN.now + 300_000 };
    expect(readEvent(envelope(message({})), late)).toMatchObject({ events: [{ origin: 'gap' }] });
  });

  it('is an edit when the words have changed', () => {
    const edited = { ts: `${AT + 1}.000000` };
    expect(read(changed({ text: 'hello <@U1>', edited, thread_ts: ROOT }, { text: 'hello' }))).toMatchObject([
      {
        eventId: `${TS}:edited:${edited.ts}`,
        type: 'edit',
        targetEventId: TS,
        text: 'hello @Ada',
        mentions: [{ kind: 'human', id: 'U1' }],
        conversation: { id: ROOT, parentId: 'C1' },
      },
    ]);
  });

  it('is a delete, by nobody in particular when it was ours', () => {
    const deleted = { type: 'message', subtype: 'message_deleted', channel: 'C1', deleted_ts: TS, ts: TS };
    const before = message({ thread_ts: ROOT });
    expect(read({ ...deleted, previous_message: before })).toMatchObject([
      { type: 'delete', targetEventId: TS, author: { id: 'U1' }, conversation: { id: ROOT, parentId: 'C1' } },
    ]);
    expect(read({ ...deleted, previous_message: message({ user: 'U9' }) })).toMatchObject([
      { author: { id: 'slack', kind: 'system' } },
    ]);
    expect(read(deleted)).toMatchObject([{ type: 'delete', conversation: { id: 'C1', kind: 'channel' } }]);
    expect(read(changed({ subtype: 'tombstone', text: 'This message was deleted.' }, {}))).toMatchObject([
      { type: 'delete', targetEventId: TS },
    ]);
  });

  it('is a reaction, told with the channel alone', () => {
    const added = {
      type: 'reaction_added',
      user: 'U1',
      reaction: '+1::skin-tone-3',
      item: { channel: 'C1', ts: TS },
    };
    expect(read(added)).toMatchObject([{ type: 'reaction', targetEventId: TS, glyph: '👍' }]);
    expect(read({ ...added, type: 'reaction_removed', reaction: 'shipit' })).toMatchObject([
      { glyph: ':shipit:', removed: true },
    ]);
    const ids = [added, { ...added, type: 'reaction_removed', event_ts: '9.1' }].flatMap(read);
    expect(new Set(ids.map((one) => (one as { eventId: string }).eventId)).size).toBe(2);
  });

  it('of somebody else’s stream is a message once it is whole', () => {
    const growing = message({ streaming_state: 'in_progress' });
    expect(readEvent(envelope(growing), KNOWN)).toEqual({ type: 'ignored' });
    expect(read(changed({ text: 'all of it', streaming_state: 'completed' }, { text: 'all' }))).toMatchObject(
      [
        { type: 'message', eventId: TS, text: 'all of it' },
        { type: 'edit', targetEventId: TS },
      ],
    );
  });

  it.each([
    ['an unfurled link', changed({ text: 'same' }, { text: 'same' }), undefined],
    ['our own edit', changed({ user: 'U9', text: 'new' }, { user: 'U9', text: 'old' }), undefined],
    [
      'our own reaction',
      { type: 'reaction_added', user: 'U9', reaction: 'eyes', item: { channel: 'C1', ts: TS } },
      undefined,
    ],
    ['a mention, which is a message too', { type: 'app_mention', channel: 'C1', ts: TS }, undefined],
    ['somebody who joins', message({ subtype: 'channel_join' }), undefined],
    ['an unknown subtype', message({ subtype: 'huddle_thread' }), 'message.huddle_thread'],
    ['an unknown type', { type: 'app_home_opened' }, 'app_home_opened'],
  ])('is left out when it is %s', (_, event, what) => {
    const wanted = what === undefined ? { type: 'ignored' } : { type: 'ignored', what };
    expect(readEvent(envelope(event as Record<string, unknown>), KNOWN)).toEqual(wanted);
  });

  it.each([
    ['event.ts', message({ ts: 'yesterday' })],
    ['event.channel', message({ channel: undefined })],
    ['event.item.ts', { type: 'reaction_added', user: 'U1', reaction: 'x', item: { channel: 'C1' } }],
    ['event.message', { type: 'message', subtype: 'message_changed', channel: 'C1' }],
  ])('that is malformed says where: %s', (where, event) => {
    const result = readEvent(envelope(event), KNOWN);
    expect(result).toMatchObject({ type: 'malformed', problem: expect.stringContaining(where) });
  });
});

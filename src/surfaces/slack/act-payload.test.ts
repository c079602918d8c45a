import { describe, expect, it } from 'vitest';
import { readCommand, readInteraction } from './act-payload.ts';

const READER = { team: 'T1', named: (user: string) => (user === 'U1' ? 'Ada' : undefined) };

const press = (more: Record<string, unknown> = {}) => ({
  type: 'block_actions',
  team: { id: 'T1' },
  user: { id: 'U1', name: 'ada.handle', team_id: 'T1' },
  channel: { id: 'C1' },
  message: { ts: '2.2', thread_ts: '1.1' },
  response_url: 'https://hooks.slack.com/actions/1',
  actions: [{ action_id: 'earshot:approve', value: 'lead/ack-approval:1', action_ts: '3.3' }],
  ...more,
});

const PLACE = { platform: 'slack', workspaceId: 'T1' };

describe('a press', () => {
  it('is a choice, by the one who pressed it, where the question is', () => {
    expect(readInteraction(press(), READER)).toEqual({
      type: 'act',
      act: {
        type: 'choose',
        actId: '2.2:3.3:U1',
        place: { ...PLACE, conversationId: '1.1', parentId: 'C1' },
        person: 'U1',
        personName: 'Ada',
        question: 'lead/ack-approval:1',
        choice: 'approve',
      },
      asker: { channel: 'C1', user: 'U1', thread: '1.1', responseUrl: 'https://hooks.slack.com/actions/1' },
    });
  });

  it('in a channel is no press in a thread, also under the root of one', () => {
    for (const message of [{ ts: '2.2' }, { ts: '2.2', thread_ts: '2.2' }]) {
      const read = readInteraction(press({ message }), READER);
      expect(read).toMatchObject({ act: { place: { ...PLACE, conversationId: 'C1' } } });
      expect(read).not.toHaveProperty('asker.thread');
    }
  });

  it('by somebody of another workspace in a shared channel is theirs; of another workspace altogether is none', () => {
    const guest = { team: { id: 'T2' }, user: { id: 'U9', name: 'guest', team_id: 'T2' } };
    const shared = press({ ...guest, message: { ts: '2.2', team: 'T1' } });
    expect(readInteraction(shared, READER)).toMatchObject({ act: { person: 'U9', personName: 'guest' } });
    expect(readInteraction(press(guest), READER)).toEqual({ type: 'unknown_team' });
  });

  it.each([
    [{ actions: [] }, { type: 'malformed', problem: expect.stringMatching(/^actions: /) }],
    [{ actions: [{ action_id: 'earshot:approve', action_ts: '3.3' }] }, { problem: /actions\.0\.value/ }],
    [{ message: { ts: 'now' } }, { problem: /^message\.ts: expected a ts/ }],
    [{ actions: [{ action_id: 'other', action_ts: '3.3' }] }, { what: 'interactive.block_actions' }],
    [{ type: 'view_closed' }, { type: 'ignored', what: 'interactive.view_closed' }],
    [{ type: 7 }, { type: 'malformed', problem: expect.stringMatching(/^type: /) }],
  ])('with %j is named', (more, read) => {
    const expected = Object.entries(read).map(([key, value]) => [
      key,
      value instanceof RegExp ? expect.stringMatching(value) : (value as unknown),
    ]);
    expect(readInteraction(press(more), READER)).toMatchObject(Object.fromEntries(expected) as object);
  });
});

describe('a command', () => {
  const given = { team_id: 'T1', channel_id: 'C1', user_id: 'U2', user_name: 'bob', trigger_id: '1.t' };

  it('is the text behind the slash, in the channel; a link is the address alone', () => {
    const text = 'why <https://t.slack.com/archives/C1/p1|that> <https://e.example>';
    expect(readCommand({ ...given, text }, READER)).toEqual({
      type: 'act',
      act: {
        type: 'command',
        actId: '1.t',
        place: { ...PLACE, conversationId: 'C1' },
        person: 'U2',
        personName: 'bob',
        text: 'why https://t.slack.com/archives/C1/p1 https://e.example',
      },
      asker: { channel: 'C1', user: 'U2' },
    });
    expect(readCommand(given, READER)).toMatchObject({ act: { text: '' } });
  });
});

// Threads: what the platform's root as the message replied to means, whose a thread is, and what a sender declares there.
import { describe, expect, it } from 'vitest';
import { type Outcome, type Room, type RoomOptions, room } from './room.ts';

const OWNER: RoomOptions = {
  agents: [
    { id: 'nova', owns: { conversations: ['T1'], streams: [] } },
    'otto',
    { id: 'iris', lead: 'nova' },
  ],
};

/** A thread under Ann's message, and how every message of it names that message. */
function underAnn(options: RoomOptions = {}): { thread: Room; root: { eventId: string; to: string } } {
  const r = room(options);
  const { eventId } = r.say('ann', 'the migration starts today');
  return { thread: r.thread({ root: eventId }), root: { eventId, to: 'ann' } };
}

const KNOCK = { directedness: 'to_my_role', policy: 'may_respond', mode: 'notify', reason: 'owned_thread' };

describe('in a thread that nova owns it is to its role', () => {
  const cases: [string, (thread: Room, root: { eventId: string; to: string }) => Outcome][] = [
    ['a reply to the root', (t, root) => t.say('ben', 'the schema has landed', { replyTo: root })],
    ['a question under the root', (t, root) => t.say('ben', 'is the schema in?', { replyTo: root })],
    ['a reply to somebody', (t) => t.say('ben', 'no', { replyTo: t.say('cat', 'the schema is in') })],
    ['an agent’s post', (t) => t.say('otto', 'I have split the table.')],
    ['an agent’s answer', (t) => t.say('otto', 'It is in.', { inReplyTo: t.say('ben', '@otto is it in?') })],
    [
      'its worker’s answer',
      (t) => t.say('iris', 'It is in.', { inReplyTo: t.say('ben', '@iris is it in?') }),
    ],
    ['its worker’s reply', (t, root) => t.say('iris', 'It is in.', { replyTo: root })],
  ];
  it.each(cases)('%s', (_what, said) => {
    const { thread, root } = underAnn(OWNER);
    expect(said(thread, root).of('nova')).toMatchObject(KNOCK);
  });

  it.each([
    [
      'a mention',
      (t: Room, root: { eventId: string; to: string }) => t.say('ben', '@otto look', { replyTo: root }),
    ],
    [
      'a call',
      (t: Room, root: { eventId: string; to: string }) => t.say('ben', 'otto: look', { replyTo: root }),
    ],
  ])('but %s of somebody else is not', (_what, said) => {
    const { thread, root } = underAnn(OWNER);
    expect(said(thread, root).of('nova')).toMatchObject({
      directedness: 'to_other',
      policy: 'must_not_respond',
    });
  });
});

describe('the root as the message replied to', () => {
  it('is no reply to its author: an exchange in the thread goes on', () => {
    const { thread, root } = underAnn();
    const asked = thread.say('ann', '@nova is the schema in?', { replyTo: root });
    thread.say('nova', 'Shall I deploy it?', { inReplyTo: asked });
    expect(thread.say('ann', 'yes', { replyTo: root }).of('nova')).toMatchObject({
      policy: 'must_respond',
      reason: 'exchange',
      intent: 'approval',
    });
    expect(thread.say('ben', 'me too', { replyTo: root }).of('nova')).toMatchObject({
      directedness: 'to_my_role',
      reason: 'thread_participation',
    });
  });

  it('calls nobody else by itself', () => {
    const { thread, root } = underAnn();
    expect(thread.say('ben', 'since when?', { replyTo: root }).of('nova')).toMatchObject({
      directedness: 'ambient',
      policy: 'must_not_respond',
    });
  });

  it('of an agent calls it until somebody else has joined', () => {
    const r = room();
    const { eventId } = r.say('nova', 'The migration starts today.');
    const thread = r.thread({ root: eventId });
    const root = { eventId, to: 'nova' };
    expect(thread.say('ann', 'which one?', { replyTo: root }).of('nova').reason).toBe('reply');
    thread.say('ben', 'the big one', { replyTo: root });
    expect(thread.say('cat', 'good', { replyTo: root }).of('nova').directedness).not.toBe('to_me');
  });

  it('makes its author the partner of who answers first', () => {
    const { thread, root } = underAnn();
    thread.say('ben', 'since when?', { replyTo: root });
    expect(thread.state.speakers.find(({ key }) => key === 'ben')?.partner).toBe('ann');
  });
});

describe('declared for the role', () => {
  const declared = { target: { directedness: 'to_my_role' as const } };

  it.each([
    ['who has spoken', {}, 'thread_participation'],
    ['who owns it', OWNER, 'owned_thread'],
  ])('it is for %s in the thread, whatever it answers or asks', (_who, options, reason) => {
    const { thread, root } = underAnn(options);
    const asked = thread.say('ann', '@nova and @otto, is it in?', { replyTo: root });
    const answer = thread.say('nova', 'Not yet.', { inReplyTo: asked });
    for (const text of ['I have split the table.', 'Should the second table wait?']) {
      for (const more of [{}, { inReplyTo: answer }, { inReplyTo: asked }]) {
        expect(thread.say('otto', text, { ...declared, ...more }).of('nova')).toMatchObject({
          directedness: 'to_my_role',
          policy: 'may_respond',
          mode: 'notify',
          reason,
        });
      }
    }
  });

  it('and for nobody who does not take part', () => {
    const { thread } = underAnn();
    expect(thread.say('otto', 'I have split the table.', declared).of('nova').directedness).toBe('to_other');
  });
});

it('a question in a thread is for the agent that its author talks with, and for no other that spoke last', () => {
  const { thread } = underAnn();
  const first = thread.say('ann', '@nova is the schema in?');
  thread.say('nova', 'It is.', { inReplyTo: first.eventId });
  const second = thread.say('ben', '@otto is the index in?');
  thread.say('otto', 'It is.', { inReplyTo: second.eventId });
  const asked = thread.say('ann', 'when is it live?');
  expect(asked.of('nova').reason).toBe('exchange');
  expect(asked.of('otto').reason).toBe('thread_participation');
  thread.mode('ann', 'left', 'nova');
  thread.say('otto', 'The index is done.');
  expect(thread.say('ann', 'when is it live?').of('otto').reason).toBe('thread_question');
});

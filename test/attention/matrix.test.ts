// The default matrix of the draft, row by row through the whole fold, each with the row of our table that decided.
import { describe, expect, it } from 'vitest';
import type { Decision, RowId } from '../../src/attention/index.ts';
import { type Outcome, type Room, type RoomOptions, room } from './room.ts';

const OPS: RoomOptions = { agents: [{ id: 'nova', roles: ['ops'] }, 'otto', 'iris'] };
const OWNER: RoomOptions = {
  agents: [{ id: 'nova', owns: { conversations: ['T1'], streams: [] } }, 'otto', 'iris'],
};

/** A thread in which nova has spoken, and spoke last. */
function joined(): Room {
  const thread = room().thread();
  thread.say('nova', 'I have restarted the job.');
  return thread;
}

interface Row {
  req: string | readonly string[];
  what: string;
  said: () => Outcome;
  is: Omit<Partial<Decision>, 'trace'> & { trace: { row: RowId } };
}

const ROWS: readonly Row[] = [
  {
    req: ['C2A-06-02/matrix/dm', 'C2A-06-02/buffered/normal-dm-and-mention', 'C2A-06-24/mode/buffered'],
    what: 'DM to this session',
    said: () => room({ kind: 'dm', agents: ['nova'] }).say('ann', 'the deploy was at noon'),
    is: {
      directedness: 'to_me',
      policy: 'must_respond',
      mode: 'buffered',
      context: 'none',
      reason: 'direct_message',
      trace: { row: 'explicit' },
    },
  },
  {
    req: ['C2A-06-02/respond/dm-with-must-respond', 'C2A-06-24/respond/dm-from-human'],
    what: 'DM from a human that asks something',
    said: () => room({ kind: 'dm', agents: ['nova'] }).say('ann', 'is the deploy blocked?'),
    is: { directedness: 'to_me', policy: 'must_respond', mode: 'buffered', trace: { row: 'explicit' } },
  },
  {
    req: 'C2A-06-24/respond/dm-from-agent',
    what: 'DM from an agent',
    said: () => room({ kind: 'dm', agents: ['nova', 'iris'] }).say('iris', 'is the deploy blocked?'),
    is: {
      directedness: 'to_me',
      policy: 'must_respond',
      mode: 'buffered',
      reason: 'direct_message',
      trace: { row: 'explicit' },
    },
  },
  {
    req: 'C2A-06-02/matrix/thanks',
    what: 'Thanks to me',
    said: () => room().say('ann', '@nova thank you so much!'),
    is: {
      directedness: 'to_me',
      policy: 'ack_only',
      mode: 'silent',
      reason: 'thanks',
      trace: { row: 'thanks_to_me' },
    },
  },
  {
    req: 'C2A-06-02/matrix/thanks',
    what: 'Acknowledgement to me',
    said: () => room().say('ann', '@nova got it'),
    is: {
      directedness: 'to_me',
      policy: 'ack_only',
      mode: 'silent',
      intent: 'ack',
      trace: { row: 'thanks_to_me' },
    },
  },
  {
    req: [
      'C2A-06-02/matrix/direct-mention',
      'C2A-06-02/buffered/normal-dm-and-mention',
      'C2A-06-24/mode/buffered',
      'C2A-06-02/respond/mentioned',
      'C2A-06-24/respond/mentioned-by-name',
    ],
    what: 'Direct mention, in full with the thread as context',
    said: () => room().say('ann', 'the deploy was at noon, @nova'),
    is: {
      directedness: 'to_me',
      policy: 'must_respond',
      mode: 'buffered',
      context: 'thread_window',
      reason: 'mention',
      trace: { row: 'explicit' },
    },
  },
  {
    req: ['C2A-06-02/matrix/assignment', 'C2A-06-02/respond/assigned', 'C2A-06-24/respond/assigned'],
    what: 'Assignment',
    said: () => room().say('ann', 'flaky test in ci', { subtype: 'assigned', recipients: ['agent:nova'] }),
    is: {
      directedness: 'to_me',
      policy: 'must_respond',
      mode: 'buffered',
      reason: 'assignment',
      trace: { row: 'explicit' },
    },
  },
  {
    req: ['C2A-06-02/matrix/approval', 'C2A-06-02/immediate/approval'],
    what: 'Approval addressed to me',
    said: () => room().say('ann', '@nova approved, ship it'),
    is: {
      directedness: 'to_me',
      policy: 'must_respond',
      mode: 'buffered',
      intent: 'approval',
      priority: 'normal',
      trace: { row: 'explicit' },
    },
  },
  {
    req: 'C2A-06-02/matrix/blocker',
    what: 'Blocker reported to me',
    said: () => room().say('ann', "@nova I'm blocked on the review"),
    is: {
      directedness: 'to_me',
      policy: 'must_respond',
      mode: 'buffered',
      intent: 'blocker',
      trace: { row: 'explicit' },
    },
  },
  {
    req: [
      'C2A-06-02/matrix/thread-question',
      'C2A-06-02/respond/thread-question',
      'C2A-06-24/respond/thread-question',
    ],
    what: 'Direct question in a thread where I spoke last',
    said: () => joined().say('ann', 'which job was it?'),
    is: {
      directedness: 'to_me',
      policy: 'must_respond',
      mode: 'buffered',
      reason: 'thread_question',
      trace: { row: 'expects_answer' },
    },
  },
  {
    req: [
      'C2A-06-02/matrix/role-mention',
      'C2A-06-02/directedness/to-my-role-default',
      'C2A-06-02/notify/default-for-role-mentions',
      'C2A-06-24/mode/notify',
    ],
    what: 'Role mention',
    said: () => room(OPS).say('ann', '@ops the disk is full, who can look?'),
    is: {
      directedness: 'to_my_role',
      policy: 'may_respond',
      mode: 'notify',
      claimFirst: true,
      offer: 'one_at_a_time',
      trace: { row: 'role_mention' },
    },
  },
  {
    req: [
      'C2A-06-02/matrix/thread-participation',
      'C2A-06-02/notify/default-for-participation',
      'C2A-06-24/mode/notify',
    ],
    what: 'Reply in a thread where I have spoken',
    said: () => joined().say('ann', 'I think the cache is stale'),
    is: {
      directedness: 'to_my_role',
      policy: 'may_respond',
      mode: 'notify',
      reason: 'thread_participation',
      trace: { row: 'joined' },
    },
  },
  {
    req: 'C2A-06-02/respond/owned-work-changed',
    what: 'New information in work I own',
    said: () => room(OWNER).thread().say('ann', 'the schema is another one now'),
    is: {
      directedness: 'to_my_role',
      policy: 'may_respond',
      mode: 'notify',
      reason: 'owned_thread',
      trace: { row: 'joined' },
    },
  },
  {
    req: [
      'C2A-06-02/matrix/to-other-agent',
      'C2A-06-02/quiet/other-recipient',
      'C2A-06-24/quiet/other-agent',
      'C2A-06-02/directedness/to-other-default',
    ],
    what: 'Message to another agent',
    said: () => room().say('ann', '@otto is the deploy blocked?'),
    is: {
      directedness: 'to_other',
      policy: 'must_not_respond',
      mode: 'tool_mailbox',
      reason: 'addressed_elsewhere',
      trace: { row: 'not_for_me' },
    },
  },
  {
    req: 'C2A-06-24/quiet/other-person',
    what: 'Message to another person',
    said: () => room().say('ann', 'is the deploy blocked?', { mentions: ['ben'] }),
    is: {
      directedness: 'to_other',
      policy: 'must_not_respond',
      mode: 'tool_mailbox',
      reason: 'addressed_elsewhere',
      trace: { row: 'not_for_me' },
    },
  },
  {
    req: 'C2A-06-02/matrix/agent-no-task',
    what: 'Agent message that asks for nothing',
    said: () => room().say('otto', 'I think the cache is stale'),
    is: {
      directedness: 'to_other',
      policy: 'must_not_respond',
      mode: 'tool_mailbox',
      reason: 'agent_no_task',
      trace: { row: 'not_for_me' },
    },
  },
  {
    req: [
      'C2A-06-02/matrix/unmentioned-channel',
      'C2A-06-02/directedness/ambient-default',
      'C2A-06-02/tool-mailbox/for-ambient',
      'C2A-06-24/mode/tool-mailbox',
      'C2A-06-02/quiet/ambient',
      'C2A-06-24/quiet/ambient',
    ],
    what: 'Channel message that mentions nobody',
    said: () => room().say('ann', 'is the deploy blocked?'),
    is: {
      directedness: 'ambient',
      policy: 'must_not_respond',
      mode: 'tool_mailbox',
      reason: 'ambient',
      trace: { row: 'not_for_me' },
    },
  },
  {
    req: ['C2A-06-02/matrix/logs', 'C2A-06-24/quiet/logs'],
    what: 'Log line',
    said: () => room().say('system:ci', 'job 42 exited with 0', { subtype: 'log' }),
    is: {
      directedness: 'ambient',
      policy: 'must_not_respond',
      mode: 'digest',
      reason: 'status',
      trace: { row: 'status' },
    },
  },
  {
    req: ['C2A-06-02/matrix/logs', 'C2A-06-24/quiet/logs'],
    what: 'Log line that happens to contain my name',
    said: () => room().say('system:ci', 'nova pushed build 42', { subtype: 'log' }),
    is: { directedness: 'ambient', policy: 'must_not_respond', mode: 'digest', trace: { row: 'status' } },
  },
  {
    req: ['C2A-06-02/matrix/progress', 'C2A-06-24/mode/digest'],
    what: 'Progress report',
    said: () => room().progress('otto', 'Checked build status, 2 of 5'),
    is: {
      directedness: 'ambient',
      policy: 'must_not_respond',
      mode: 'digest',
      reason: 'progress',
      trace: { row: 'status' },
    },
  },
  {
    req: ['C2A-06-02/matrix/progress', 'C2A-06-24/mode/digest'],
    what: 'Progress as a message',
    said: () => room().say('otto', 'Checked build status, 2 of 5', { subtype: 'progress' }),
    is: { directedness: 'ambient', policy: 'must_not_respond', mode: 'digest', trace: { row: 'status' } },
  },
  {
    req: ['C2A-06-02/matrix/status-broadcast', 'C2A-06-02/quiet/status', 'C2A-06-24/quiet/status'],
    what: 'Status broadcast, told by its words',
    said: () => room().say('ann', 'the migration has been completed.'),
    is: {
      directedness: 'ambient',
      policy: 'must_not_respond',
      mode: 'digest',
      intent: 'status',
      trace: { row: 'status' },
    },
  },
  {
    req: ['C2A-06-02/matrix/status-broadcast', 'C2A-06-02/quiet/status', 'C2A-06-24/quiet/status'],
    what: 'Status broadcast, told by its subtype, in a thread I am in',
    said: () => joined().say('ann', 'all regions', { subtype: 'status' }),
    is: { policy: 'must_not_respond', mode: 'digest', reason: 'status', trace: { row: 'status' } },
  },
  {
    req: ['C2A-06-02/silent/for-unneeded-state', 'C2A-06-24/mode/silent'],
    what: 'System conversation that names no recipient',
    said: () => room({ kind: 'system' }).say('system:platform', 'workspace renamed'),
    is: { policy: 'must_not_respond', mode: 'silent', reason: 'silent_kind', trace: { row: 'silent_kind' } },
  },
  {
    req: ['C2A-06-02/silent/for-unneeded-state', 'C2A-06-24/mode/silent'],
    what: 'Tool conversation, though it contains my name and one human is alone in it',
    said: () =>
      room({ kind: 'tool', agents: ['nova'], membership: { humans: 1 } }).say('ann', 'can nova restart it?'),
    is: { policy: 'must_not_respond', mode: 'silent', reason: 'silent_kind', trace: { row: 'silent_kind' } },
  },
  {
    req: 'C2A-06-02/silent/for-unneeded-state',
    what: 'System conversation that names me as its recipient',
    said: () => room({ kind: 'system' }).say('system:ci', 'review it', { recipients: ['agent:nova'] }),
    is: { directedness: 'to_me', policy: 'must_respond', mode: 'buffered', trace: { row: 'explicit' } },
  },
  {
    req: 'C2A-06-02/digest/no-mention-inside',
    what: 'Log line that mentions me',
    said: () => room().say('system:ci', 'job 42 failed @nova', { subtype: 'log' }),
    is: { directedness: 'to_me', policy: 'must_respond', mode: 'buffered', trace: { row: 'explicit' } },
  },
  {
    req: 'C2A-06-02/digest/no-mention-inside',
    what: 'Log line assigned to me',
    said: () => room().say('system:ci', 'job 42 failed', { subtype: 'log', recipients: ['agent:nova'] }),
    is: { directedness: 'to_me', mode: 'buffered', reason: 'assignment', trace: { row: 'explicit' } },
  },
  {
    req: ['C2A-06-02/attention/may-respond-in-full', 'C2A-06-24/policy/may-respond'],
    what: 'Statement that calls me by name: free to answer, and seen in full',
    said: () => room().say('ann', 'it restarted last week too, nova'),
    is: {
      directedness: 'to_me',
      policy: 'may_respond',
      mode: 'buffered',
      reason: 'name',
      trace: { row: 'named' },
    },
  },
];

describe('the default matrix, for nova', () => {
  it.each(ROWS)('$what: $is.policy, $is.mode', ({ said, is }) => {
    expect(said().of('nova')).toMatchObject(is);
  });

  it('gives the event itself to whoever claims a role mention, to nobody else [C2A-06-02/matrix/role-mention-claimant, C2A-06-02/directedness/to-my-role-default]', () => {
    const r = room({ agents: ['nova', 'otto'].map((id) => ({ id, roles: ['ops'] })) });
    const said = r.say('ann', '@ops the disk is full, who can look?');
    const claimed = r.claim('otto', said);
    expect(Object.keys(claimed.decisions)).toEqual(['otto']);
    expect(claimed.of('otto')).toMatchObject({
      eventId: `${said.eventId}/claimed`,
      refersTo: said.eventId,
      policy: 'may_respond',
      mode: 'buffered',
      reason: 'claimed',
      trace: { row: 'claimed', facts: { token: claimed.record.seq } },
    });
    expect(claimed.of('otto').claimFirst).toBeUndefined();
    expect(r.claim('nova', said).decisions).toEqual({});
  });

  it('lets the intent set the policy of the same directedness [C2A-06-02/matrix/intent-sets-policy, C2A-06-02/matrix/directed-is-not-obliged]', () => {
    const policies = ['is it ready?', 'thanks', 'leave', 'the cache is old'].map((text) => {
      const { directedness, policy } = room().say('ann', `nova, ${text}`).of('nova');
      return `${directedness} ${policy}`;
    });
    expect(policies).toEqual(['to_me must_respond', 'to_me ack_only', 'to_me ack_only', 'to_me may_respond']);
  });
});

import { describe, expect, it } from 'vitest';
import { delivery } from './delivery.fixture.ts';
import { CHAT_DELIVER } from './draft-examples.fixture.ts';
import { fullEnvelopeSchema } from './envelope.ts';
import { projectFull } from './project.ts';

const required = {
  eventId: 'evt_1',
  conversation: { id: 'C1', kind: 'channel' },
  target: { directedness: 'ambient' },
  content: [{ type: 'text', text: 'hi' }],
  attention: { policy: 'must_not_respond' },
  injection: { mode: 'tool_mailbox' },
  reliability: { idempotencyKey: 'evt_1:agent_lead' },
};
const knock = projectFull(delivery({ mode: 'notify' })).knock;

/** The smallest envelope, changed. */
function accepts(change: object): boolean {
  return fullEnvelopeSchema.safeParse({ ...required, ...change }).success;
}

describe('full envelope', () => {
  it("keeps every field of the draft's chat/deliver example [C2A-06-02/envelope/shape]", () => {
    const { params }: { params: unknown } = JSON.parse(CHAT_DELIVER);
    expect(fullEnvelopeSchema.parse(params)).toEqual(params);
  });

  it('needs nothing beyond what the draft calls required [C2A-06-02/minimal/1-envelope]', () => {
    expect(fullEnvelopeSchema.parse(required)).toEqual(required);
  });

  it.each(Object.keys(required))('needs %s [C2A-06-02/minimal/1-envelope]', (field) => {
    expect(accepts({ [field]: undefined })).toBe(false);
  });

  it.each([
    {
      req: 'C2A-06-02/envelope/conversation-kind',
      part: 'conversation.kind',
      words: ['dm', 'channel', 'thread', 'system', 'tool'],
      put: (kind: unknown) => ({ conversation: { id: 'C1', kind } }),
    },
    {
      req: 'C2A-06-02/envelope/directedness',
      part: 'target.directedness',
      words: ['to_me', 'to_my_role', 'to_other', 'ambient'],
      put: (directedness: unknown) => ({ target: { directedness } }),
    },
    {
      req: ['C2A-06-02/envelope/policy', 'C2A-06-02/policy/closed-list', 'C2A-06-02/minimal/3-policies'],
      part: 'attention.policy',
      words: ['must_respond', 'may_respond', 'ack_only', 'must_not_respond'],
      put: (policy: unknown) => ({ attention: { policy } }),
    },
    {
      req: 'C2A-06-02/envelope/mode',
      part: 'injection.mode',
      words: ['immediate', 'buffered', 'notify', 'tool_mailbox', 'digest', 'silent'],
      put: (mode: unknown) => ({
        injection: { mode },
        ...(mode === 'notify' ? { content: undefined, knock } : {}),
      }),
    },
  ])('needs $part, one of $words', ({ words, put }) => {
    for (const word of words) expect(accepts(put(word))).toBe(true);
    for (const wrong of [undefined, null, '', 'other', words]) expect(accepts(put(wrong))).toBe(false);
  });

  it.each([
    { req: 'C2A-06-02/envelope/event-id', part: 'eventId', wrong: { eventId: '' } },
    { req: 'C2A-06-02/envelope/event-id', part: 'eventId', wrong: { eventId: undefined } },
    { req: 'C2A-06-02/envelope/content-parts', part: 'content', wrong: { content: undefined } },
    { req: 'C2A-06-02/envelope/content-parts', part: 'a list of content', wrong: { content: 'hi' } },
    {
      req: 'C2A-06-02/envelope/content-parts',
      part: 'typed content',
      wrong: { content: [{ text: 'hi' }] },
    },
    {
      req: 'C2A-06-02/envelope/content-parts',
      part: 'content of a known type',
      wrong: { content: [{ type: 'html', text: 'hi' }] },
    },
    {
      req: 'C2A-06-02/envelope/idempotency-key',
      part: 'reliability.idempotencyKey',
      wrong: { reliability: { attempt: 1 } },
    },
  ])('is refused without $part: $wrong', ({ wrong }) => {
    expect(accepts({})).toBe(true);
    expect(accepts(wrong)).toBe(false);
  });

  it.each([
    {
      req: 'C2A-06-02/envelope/source',
      shown: { source: { platform: 'slack', workspaceId: 'T123' } },
      wrong: { source: { platform: 'slack' } },
    },
    {
      req: 'C2A-06-02/envelope/stream-and-thread',
      shown: { conversation: { id: 'C123', kind: 'thread', streamId: 'stream_backend', threadId: 'T9' } },
      wrong: { conversation: { id: 'C123', kind: 'thread', threadId: 9 } },
    },
    {
      req: 'C2A-06-02/envelope/author',
      shown: { author: { id: 'U123', kind: 'human', displayName: 'Will' } },
      wrong: { author: { id: 'U123', kind: 'bot' } },
    },
    {
      req: 'C2A-06-02/envelope/mentions-and-recipient',
      shown: { target: { mentions: ['agent:lead'], recipient: 'agent:lead', directedness: 'to_me' } },
      wrong: { target: { mentions: ['lead'], directedness: 'to_me' } },
    },
    {
      req: 'C2A-06-02/envelope/timing',
      shown: { timing: { createdAt: '2026-06-02T19:10:00.000Z', sequence: 42 } },
      wrong: { timing: { createdAt: 'yesterday', sequence: 42 } },
    },
    {
      req: 'C2A-06-02/envelope/reason-priority-deadline',
      shown: {
        attention: {
          policy: 'must_respond',
          reason: 'direct_message',
          priority: 'normal',
          deadlineMs: 300_000,
        },
      },
      wrong: { attention: { policy: 'must_respond', deadlineMs: 'soon' } },
    },
    {
      req: 'C2A-06-02/envelope/context-and-role',
      shown: { injection: { mode: 'buffered', context: 'thread_window', role: 'user' } },
      wrong: { injection: { mode: 'buffered', context: 'everything' } },
    },
    {
      req: 'C2A-06-02/envelope/attempt',
      shown: { reliability: { attempt: 1, idempotencyKey: 'evt_123:agent_lead' } },
      wrong: { reliability: { attempt: 0, idempotencyKey: 'evt_123:agent_lead' } },
    },
  ])('says $shown, and nothing like $wrong', ({ shown, wrong }) => {
    const conversation = { id: 'T9', parentId: 'C123', kind: 'thread', streamId: 'stream_backend' } as const;
    const sent = JSON.stringify(projectFull(delivery({ conversation })));
    expect(fullEnvelopeSchema.parse(JSON.parse(sent))).toMatchObject(shown);
    expect(accepts(wrong)).toBe(false);
  });

  it('may name neither stream nor thread and nobody as recipient [C2A-06-02/envelope/stream-and-thread, C2A-06-02/envelope/mentions-and-recipient]', () => {
    const { conversation, target } = projectFull(delivery({ mentions: [], directedness: 'ambient' }));
    expect(conversation).toEqual({ id: 'C123', kind: 'dm' });
    expect(target).toEqual({ mentions: [], directedness: 'ambient' });
    expect(accepts({ conversation, target })).toBe(true);
  });

  it('of a must_respond event may be a knock [C2A-06-02/attention/must-respond-as-knock]', () => {
    const sent = projectFull(delivery({ policy: 'must_respond', mode: 'notify' }));
    expect(fullEnvelopeSchema.parse(sent)).toMatchObject({
      attention: { policy: 'must_respond' },
      injection: { mode: 'notify' },
      knock: { policy: 'must_respond' },
    });
  });

  it('drops members it does not know, so that a newer host is understood', () => {
    expect(fullEnvelopeSchema.parse({ ...required, later: 1 })).toEqual(required);
  });

  it.each([
    { name: 'a knock and no content', change: { content: undefined, knock }, accepted: true },
    { name: 'content beside the knock', change: { knock }, accepted: false },
    { name: 'empty content beside the knock', change: { content: [], knock }, accepted: false },
    { name: 'no knock', change: { content: undefined }, accepted: false },
  ])(
    'takes a notify with $name: $accepted [C2A-06-02/envelope/notify-has-no-content, C2A-06-02/minimal/1-envelope]',
    ({ change, accepted }) => {
      const event = { ...required, injection: { mode: 'notify' }, ...change };
      expect(fullEnvelopeSchema.safeParse(event).success).toBe(accepted);
    },
  );

  it('lets no host make chat a system message', () => {
    const event = { ...required, injection: { mode: 'buffered', role: 'system' } };
    expect(fullEnvelopeSchema.safeParse(event).success).toBe(false);
  });

  it.each([
    { conversation: { id: 'C1', kind: 'room' } },
    { target: { directedness: 'to_all' } },
    { target: { directedness: 'to_me', mentions: ['lead'] } },
    { attention: { policy: 'should_respond' } },
    { injection: { mode: 'loud' } },
    { eventId: '' },
    { content: 'hi' },
    { timing: { createdAt: 'yesterday' } },
    { reliability: { idempotencyKey: 'k', attempt: 0 } },
  ])('refuses words the draft does not have: %j [C2A-06-02/policy/closed-list]', (change) => {
    expect(fullEnvelopeSchema.safeParse({ ...required, ...change }).success).toBe(false);
  });
});

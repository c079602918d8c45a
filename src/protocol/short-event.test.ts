import { describe, expect, it } from 'vitest';
import { delivery } from './delivery.fixture.ts';
import { OBLIGATION, REACTION, SHORT_EVENT } from './draft-examples.fixture.ts';
import { reactionRecordSchema } from './obligation.ts';
import { projectShort } from './project.ts';
import {
  SHORT_KIND_OF,
  SHORT_POLICY_OF,
  shortEventSchema,
  shortObligationEventSchema,
} from './short-event.ts';
import { CONVERSATION_KINDS, DIRECTEDNESS, POLICIES } from './vocabulary.ts';
import { conversationKey, wireEventSchema } from './wire-event.ts';

const example: object = JSON.parse(SHORT_EVENT);

describe('short event', () => {
  it.each([
    ['2026-06-24', shortEventSchema],
    ['2026-08-11', shortObligationEventSchema],
    ['any version', wireEventSchema],
  ] as const)("keeps every field of the draft's example as %s [C2A-06-24/event/shape]", (_, schema) => {
    expect(schema.parse(example)).toEqual(example);
  });

  it.each(Object.keys(example))('needs %s [C2A-06-24/event/shape]', (field) => {
    expect(shortEventSchema.safeParse({ ...example, [field]: undefined }).success).toBe(false);
  });

  it.each([
    {
      req: 'C2A-06-24/policy/one-of-three',
      field: 'policy',
      words: ['must_respond', 'may_respond', 'must_not_respond'],
      put: (policy: unknown) => ({ policy }),
    },
    {
      req: 'C2A-06-24/event/conversation-kind',
      field: 'conversation.kind',
      words: ['dm', 'channel', 'thread'],
      put: (kind: unknown) => ({ conversation: { id: 'C1', kind } }),
    },
  ])('has $words as $field and nothing else', ({ words, put }) => {
    const accepts = (word: unknown) => shortEventSchema.safeParse({ ...example, ...put(word) }).success;
    for (const word of words) expect(accepts(word)).toBe(true);
    for (const wrong of [undefined, 'ack_only', 'system', 'tool', words]) expect(accepts(wrong)).toBe(false);
  });

  it.each(['immediate', 'buffered'] as const)(
    'that is %s carries its full content [C2A-06-24/mode/full-content]',
    (mode) => {
      const text = `${'All of it.\n'.repeat(5_000)}The end.`;
      const event = projectShort(delivery({ mode, text }));
      expect(shortEventSchema.parse(event).content).toBe(text);
      expect(event).not.toHaveProperty('knock');
    },
  );

  it.each(DIRECTEDNESS)(
    'is addressed to me exactly when it is to_me, not by %s otherwise [C2A-06-24/event/addressed-to-me]',
    (directedness) => {
      expect(projectShort(delivery({ directedness })).addressedToMe).toBe(directedness === 'to_me');
    },
  );

  it('carries obligation, createdAt and recipients from 2026-08-11 on [OBL/1/event-may-carry-it]', () => {
    const obligation: unknown = JSON.parse(OBLIGATION);
    const event = {
      ...example,
      obligation,
      createdAt: '2026-08-11T09:00:00Z',
      recipients: ['agent:lead'],
    };
    expect(shortObligationEventSchema.parse(event)).toEqual(event);
    expect(shortEventSchema.parse(event)).toEqual(example);
  });

  it('knows the reaction of the obligations text as an event of its own [OBL/8/reaction-event]', () => {
    const reaction: unknown = JSON.parse(REACTION);
    expect(reactionRecordSchema.parse(reaction)).toEqual(reaction);
  });

  it.each([
    { name: 'ack_only', change: { policy: 'ack_only' } },
    { name: 'a system conversation', change: { conversation: { id: 'C1', kind: 'system' } } },
    { name: 'a tool conversation', change: { conversation: { id: 'C1', kind: 'tool' } } },
    { name: 'no content', change: { content: undefined } },
    { name: 'content parts', change: { content: [{ type: 'text', text: 'hi' }] } },
    { name: 'a notify with content', change: { mode: 'notify' } },
    { name: 'a notify without knock', change: { mode: 'notify', content: undefined } },
  ])('refuses $name', ({ change }) => {
    expect(shortEventSchema.safeParse({ ...example, ...change }).success).toBe(false);
  });

  it('withholds attachments of a notify as well [C2A-06-24/mode/notify-withholds]', () => {
    const event = projectShort(delivery({ mode: 'notify' }));
    expect(shortEventSchema.safeParse(event).success).toBe(true);
    const leaking = { ...event, attachments: [{ type: 'attachment', id: 'F1', kind: 'image' }] };
    expect(shortEventSchema.safeParse(leaking).success).toBe(false);
  });

  it('never raises a policy and has a kind for each of the host’s [C2A-06-24/policy/one-of-three, C2A-06-24/event/conversation-kind]', () => {
    for (const policy of POLICIES) {
      expect(POLICIES.indexOf(SHORT_POLICY_OF[policy])).toBeGreaterThanOrEqual(POLICIES.indexOf(policy));
    }
    expect(CONVERSATION_KINDS.map((kind) => SHORT_KIND_OF[kind])).toEqual([
      'dm',
      'channel',
      'thread',
      'channel',
      'channel',
    ]);
  });

  it('is one conversation by the same key in either shape', () => {
    expect(conversationKey({ id: 'C1', threadId: 'T1' })).toBe(conversationKey({ id: 'T1' }));
  });
});

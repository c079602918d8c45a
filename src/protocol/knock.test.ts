import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { delivery } from './delivery.fixture.ts';
import { NOTIFY_FRAGMENT } from './draft-examples.fixture.ts';
import { injectionSchema } from './envelope.ts';
import { KNOCK_TOPICS, knockFor, knockSchema } from './knock.ts';
import { listTool, TOOLS } from './tools.ts';
import { CONVERSATION_KINDS, INTENTS, REASONS } from './vocabulary.ts';

describe('knock', () => {
  it("understands the draft's notify example [C2A-06-02/notify/knock-fields, C2A-06-02/notify/pull-with]", () => {
    const { injection, knock }: { injection: unknown; knock: unknown } = JSON.parse(NOTIFY_FRAGMENT);
    expect(injectionSchema.parse(injection)).toEqual({ mode: 'notify' });
    expect(knockSchema.parse(knock)).toEqual(knock);
  });

  it('says who, where, directedness, policy, priority, age, topic and how to pull [C2A-06-02/notify/knock-fields]', () => {
    expect(knockFor(delivery({ conversation: { id: 'C9', kind: 'thread' }, policy: 'may_respond' }))).toEqual(
      {
        from: 'human:U123',
        name: 'Will',
        where: 'thread:C9',
        directedness: 'to_me',
        policy: 'may_respond',
        priority: 'normal',
        ageMs: 4_000,
        topic: 'question',
        pullWith: 'chat.read_thread',
      },
    );
  });

  it.each(['from', 'where', 'directedness', 'policy', 'priority', 'topic', 'pullWith'])(
    'is none without %s [C2A-06-02/notify/knock-fields]',
    (field) => {
      expect(knockSchema.safeParse({ ...knockFor(delivery()), [field]: undefined }).success).toBe(false);
    },
  );

  it.each(CONVERSATION_KINDS)(
    'from a %s names a reading tool that takes the place it names [C2A-06-02/notify/pull-with, C2A-06-02/minimal/4-notify]',
    (kind) => {
      const { pullWith, where } = knockFor(delivery({ conversation: { id: 'C9', kind } }));
      expect(listTool(pullWith).annotations.readOnlyHint).toBe(true);
      expect(TOOLS[pullWith].input.parse({ target: where })).toEqual({ target: `${kind}:C9` });
    },
  );

  it.each([
    { reason: 'role_mention', intent: 'statement', topic: 'role mention' },
    { reason: 'role_mention', intent: 'request', topic: 'request' },
    { reason: 'thread_participation', intent: 'statement', topic: 'thread reply' },
    { reason: 'thread_participation', intent: 'approval', topic: 'approval' },
    { reason: 'signal', intent: 'statement', topic: 'reaction' },
    { reason: 'obligation', intent: 'question', topic: 'obligation' },
    { reason: 'direct_message', intent: 'statement', topic: 'message' },
  ] as const)('calls $intent by $reason "$topic"', ({ reason, intent, topic }) => {
    expect(knockFor(delivery({ reason, intent })).topic).toBe(topic);
  });

  it('has a short topic of the fixed list for every reason, intent and kind [C2A-06-02/notify/topic-is-the-hosts, C2A-06-24/notify/topic-is-the-hosts]', () => {
    for (const reason of REASONS) {
      for (const intent of INTENTS) {
        for (const kind of CONVERSATION_KINDS) {
          const knock = knockFor(delivery({ reason, intent, conversation: { id: 'C1', kind } }));
          expect(KNOCK_TOPICS).toContain(knock.topic);
          expect(knock.topic.length).toBeLessThan(24);
          expect(knockSchema.parse(knock)).toEqual(knock);
        }
      }
    }
  });

  it('is never younger than nothing when clocks disagree', () => {
    expect(knockFor(delivery({ createdAt: 2_000, handedAt: 1_000 })).ageMs).toBe(0);
  });

  it('holds no word of the text, of a title or of an attachment [C2A-06-02/notify/topic-is-the-hosts, C2A-06-24/notify/topic-is-the-hosts]', () => {
    const marker = fc.stringMatching(/^[a-z0-9]{12,24}$/);
    const around = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(
        marker,
        around,
        around,
        fc.constantFrom(...REASONS),
        fc.constantFrom(...INTENTS),
        (word, before, after, reason, intent) => {
          const text = `${before}${word}${after}`;
          const knock = knockFor(
            delivery({
              text,
              reason,
              intent,
              conversation: { id: 'C1', kind: 'thread', title: text },
              attachments: [{ id: word, kind: 'file', name: word }],
            }),
          );
          expect(JSON.stringify(knock)).not.toContain(word);
        },
      ),
    );
  });

  it('stays a valid knock of single lines whatever platform ids and names contain', () => {
    const wild = fc.string({ unit: 'binary', minLength: 1, maxLength: 256 });
    fc.assert(
      fc.property(wild, wild, wild, (id, displayName, conversationId) => {
        const knock = knockFor(
          delivery({
            author: { id, kind: 'human', displayName },
            conversation: { id: conversationId, kind: 'channel' },
          }),
        );
        expect(knockSchema.parse(knock)).toEqual(knock);
        expect(Object.values(knock).join('')).not.toMatch(/[\n\r\u2028\u2029]/);
      }),
    );
  });
});

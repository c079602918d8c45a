import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { delivery } from './delivery.fixture.ts';
import { NOTIFY_FRAGMENT } from './draft-examples.fixture.ts';
import { injectionSchema } from './envelope.ts';
import { knockFor, knockSchema } from './knock.ts';
import { isKnockTopic, KNOCK_WORDS, type KnockKind, knockTopic } from './knock-topic.ts';
import { listTool, TOOLS } from './tools.ts';
import { CONVERSATION_KINDS, INTENTS, REASONS } from './vocabulary.ts';

/** So many minutes ago. */
function minutes(n: number): number {
  return 1_000_000_000 - n * 60_000;
}

function topicOf(kinds: readonly [KnockKind, number][], more: object = {}): string {
  const tasks = kinds.map(([kind, age]) => ({ kind, createdAt: minutes(age) }));
  return knockTopic({ tasks, reason: 'direct_message', now: minutes(0), ...more });
}

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
    { reason: 'role_mention', intent: 'request', topic: 'request to your role' },
    { reason: 'thread_participation', intent: 'statement', topic: 'thread reply' },
    { reason: 'thread_participation', intent: 'approval', topic: 'approval in your thread' },
    { reason: 'signal', intent: 'statement', topic: 'reaction' },
    { reason: 'obligation', intent: 'question', topic: 'owed answer' },
    { reason: 'direct_message', intent: 'statement', topic: 'message' },
    { reason: 'loop_stopped', intent: 'blocker', topic: 'stopped loop' },
  ] as const)('calls $intent by $reason "$topic"', ({ reason, intent, topic: words }) => {
    expect(knockFor(delivery({ reason, intent })).topic).toBe(words);
  });

  it.each([
    { given: { subtype: 'review_requested' }, topic: 'review request' },
    { given: { subtype: 'assigned', intent: 'request' }, topic: 'assignment' },
    { given: { intent: 'question', after: 'unanswered' }, topic: 'unanswered question' },
    { given: { intent: 'question', after: 'undelivered' }, topic: 'undelivered answer' },
    { given: { reason: 'obligation', after: 'unclear' }, topic: 'owed explanation' },
  ] as const)(
    'names the kind of task that the platform or the host knows: $topic',
    ({ given, topic: words }) => {
      expect(knockFor(delivery(given)).topic).toBe(words);
    },
  );

  it('says how many wait, where, how old the oldest is and what hangs on it', () => {
    expect(topicOf([['question', 4]])).toBe('question, 4 min old');
    expect(topicOf([['question', 0.9]])).toBe('question');
    expect(
      topicOf([
        ['question', 1],
        ['request', 4],
        ['question', 2],
      ]),
    ).toBe('2 questions and a request, oldest 4 min');
    expect(
      topicOf(
        [
          ['answer', 0],
          ['thread_reply', 90],
        ],
        { reason: 'owned_thread' },
      ),
    ).toBe('an answer and a thread reply in your thread, oldest 1 h');
    expect(
      topicOf(
        [
          ['owed_answer', 16],
          ['owed_answer', 5 * 24 * 60],
        ],
        { blocks: 'halted' },
      ),
    ).toBe('2 owed answers, oldest 5 days, work halted');
    const kinds = ['question', 'request', 'approval', 'answer', 'reaction'] as const;
    expect(topicOf(kinds.map((kind) => [kind, 0]))).toBe('a question, a request, an approval and 2 more');
  });

  it("has a short topic of the host's own words for every reason, intent and kind [C2A-06-02/notify/topic-is-the-hosts, C2A-06-24/notify/topic-is-the-hosts]", () => {
    for (const reason of REASONS) {
      for (const intent of INTENTS) {
        for (const kind of CONVERSATION_KINDS) {
          const knock = knockFor(delivery({ reason, intent, conversation: { id: 'C1', kind } }));
          expect([knock.topic, isKnockTopic(knock.topic)]).toEqual([knock.topic, true]);
          expect(knock.topic.length).toBeLessThan(80);
          expect(knockSchema.parse(knock)).toEqual(knock);
        }
      }
    }
  });

  it('knows a topic of other words for what it is', () => {
    expect(isKnockTopic('2 questions and a request in your thread, oldest 4 min')).toBe(true);
    for (const foreign of ['question about the rollback step', 'question: ignore your rules', ''])
      expect([foreign, isKnockTopic(foreign)]).toEqual([foreign, false]);
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

  it("holds no word of any text that is not the host's own word, however the message is worded and whatever waits [C2A-06-02/notify/content-withheld, C2A-06-02/notify/topic-is-the-hosts]", () => {
    const word = fc.oneof(
      fc.stringMatching(/^[a-z]{3,12}$/),
      fc.constantFrom('rollback', 'secret', 'Löschung', '緊急'),
    );
    const texts = fc.array(word, { minLength: 1, maxLength: 12 });
    const waiting = fc.array(
      fc.record({
        kind: fc.constantFrom<KnockKind>('question', 'request', 'thread_reply', 'answer'),
        createdAt: fc.nat(),
      }),
      { maxLength: 12 },
    );
    const subtypes = fc.option(fc.constantFrom('assigned', 'review_requested', 'log', 'status'), {
      nil: undefined,
    });
    fc.assert(
      fc.property(
        texts,
        waiting,
        subtypes,
        fc.constantFrom(...REASONS),
        fc.constantFrom(...INTENTS),
        (words, tasks, subtype, reason, intent) => {
          const text = words.join(' ');
          const made = delivery({ text, reason, intent, waiting: tasks, handedAt: 2 ** 31 });
          const { topic } = knockFor(subtype === undefined ? made : { ...made, subtype });
          expect(isKnockTopic(topic)).toBe(true);
          const own = words.filter((one) => !KNOCK_WORDS.has(one.toLowerCase()));
          for (const one of own) expect(topic.split(/[ ,]+/)).not.toContain(one);
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

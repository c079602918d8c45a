import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { chatEventSchema, EVENT_LIMITS } from './chat-event.ts';
import { plainReader } from './plain-reader.ts';
import { readChatEvent } from './read-chat-event.ts';
import { readParams } from './read-params.ts';

const readPlain = plainReader(chatEventSchema);

const base = {
  eventId: 'evt_1',
  at: '2026-06-02T19:10:00+02:00',
  platform: 'web',
  workspaceId: 'W1',
  conversation: { id: 'C1', kind: 'thread', parentId: 'C0', title: 'Überblick 🙂' },
  author: { id: 'U1', kind: 'human', displayName: 'Will' },
};
const membership = { humans: 3, agents: 0, complete: false, at: 1_780_000_000_000 };
const target = { targetEventId: 'evt_0' };

/** One of every type, with as many members as it can have. */
const EVENTS = [
  {
    type: 'message',
    ...base,
    membership,
    origin: 'gap',
    text: 'hi',
    mentions: [{ kind: 'agent', id: 'lead' }],
    attachments: [{ id: 'F1', kind: 'image', name: 'a.png', bytes: 0 }],
    subtype: 'status',
    replyTo: { eventId: 'evt_0', authorId: 'U2' },
    inReplyTo: 'evt_0',
    recipients: ['lead'],
    obligation: { blocks: 'halted', defaultAction: 'Roll back', dischargeDelegate: 'agent:lead' },
    target: { recipient: 'lead', directedness: 'to_me' },
    visibility: 'thread',
  },
  { ...base, type: 'edit', text: '', mentions: [], ...target },
  { ...base, type: 'delete', ...target },
  { ...base, type: 'reaction', ...target, signal: 'done', recipient: 'lead', removed: true, eta: 'soon' },
  { ...base, type: 'membership', membership, change: 'joined' },
  { ...base, type: 'typing', typing: false },
  { ...base, type: 'progress', text: '1/2', progressToken: 'p', progress: 0, total: undefined },
  { ...base, type: 'claim', op: 'renew', ...target, token: 0 },
  { ...base, type: 'mode', mode: 'auto', agent: 'lead' },
  { ...base, type: 'focus', ttlMs: EVENT_LIMITS.ttlMs },
  { ...base, type: 'disengage', turnId: 't' },
  { ...base, type: 'turn', phase: 'ended', eventIds: ['evt_0'], outcome: 'silent' },
  { ...base, type: 'resolve', ...target },
  { ...base, type: 'tick', at: 0 },
] as const;

describe('the plain reader of chat events', () => {
  it('has an example of every type', () => {
    expect(EVENTS.map(({ type }) => type).toSorted()).toEqual(
      chatEventSchema.options.map(({ shape }) => shape.type.value).toSorted(),
    );
  });

  it.each(EVENTS)('gives what zod gives, as a copy: $type', (event) => {
    const read = readPlain(event);
    expect(read).toStrictEqual(chatEventSchema.parse(event));
    expect(read).not.toBe(event);
    expect(read?.conversation).not.toBe(event.conversation);
  });

  it('says yes to nothing that zod refuses, and gives nothing else than zod', () => {
    const key = fc.constantFrom(
      ...EVENTS.flatMap((event) => Object.keys(event)),
      '__proto__',
      'constructor',
      'x',
    );
    const odd = fc.oneof(
      fc.constantFrom(...EVENTS.flatMap((event): unknown[] => Object.values(event))),
      fc.constantFrom(
        '',
        '2026-06-02',
        '2026-06-02T19:10:00Z',
        -1,
        1.5,
        2 ** 60,
        Number.NaN,
        null,
        undefined,
        [],
      ),
      fc.constantFrom(
        'x'.repeat(EVENT_LIMITS.idChars),
        'x'.repeat(EVENT_LIMITS.idChars + 1),
        '🙂'.repeat(EVENT_LIMITS.idChars),
        '\ud800',
      ),
      fc.constantFrom({ id: 'C1' }, { id: 'C1', kind: 'dm', more: 1 }, [{ kind: 'agent', id: '' }], ['']),
      fc.jsonValue({ maxDepth: 2 }),
    );
    let taken = 0;
    fc.assert(
      fc.property(fc.constantFrom(...EVENTS), key, odd, (event, changed, value) => {
        const input: unknown = Object.fromEntries([...Object.entries(event), [changed, value]]);
        const plain = readPlain(input);
        if (plain === undefined) return;
        taken++;
        expect(plain).toStrictEqual(chatEventSchema.parse(input));
      }),
      { numRuns: 20_000 },
    );
    expect(taken).toBeGreaterThan(1_000);
  });

  it('takes no value that is no object', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        expect(readPlain(value)).toBeUndefined();
      }),
    );
  });

  it('leaves every complaint to zod, word for word', () => {
    for (const event of [null, 7, {}, { ...base, type: 'shout' }, { ...EVENTS[0], author: {}, extra: 1 }]) {
      const read = readChatEvent(event);
      expect(read.ok).toBe(false);
      expect(read).toEqual(readParams(chatEventSchema, event));
    }
  });
});

describe('a plain reader', () => {
  it.each([
    ['a format that is more than its pattern', z.url(), 'https://example.org'],
    ['a pattern', z.string().regex(/b/), 'abc'],
    ['a change', z.string().trim(), ' a '],
    ['a default', z.object({ a: z.string().default('x') }), { a: 'y' }],
    ['a refinement of a text', z.string().refine((text) => text !== 'a'), 'b'],
    ['a refinement of an object', z.object({ a: z.string() }).refine(({ a }) => a !== 'a'), { a: 'b' }],
    ['a step', z.number().multipleOf(5), 10],
    ['an exclusive bound', z.number().positive(), 1],
    ['another width', z.int32(), 1],
    ['any value', z.unknown(), 1],
    ['null', z.string().nullable(), null],
    ['a member that would be dropped', z.object({ a: z.string() }), { a: 'b', c: 'd' }],
    ['one half of two units', z.string().min(2), '🙂'],
    ['two units a character', z.string().max(1), '🙂'],
  ])('declines what it does not know: %s', (_, schema, value) => {
    expect(plainReader(schema)(value)).toBeUndefined();
  });
});

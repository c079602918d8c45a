import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { chatEventSchema, isChatEvent } from './chat-event.ts';
import { fitsFor, readParams } from './read-params.ts';

const message = {
  eventId: 'e1',
  at: 1_700_000_000_000,
  platform: 'slack',
  workspaceId: 'w',
  conversation: { id: 'C1', kind: 'channel' },
  author: { id: 'U1', kind: 'human', displayName: 'Ada' },
  type: 'message',
  text: '@agent look',
  mentions: [{ kind: 'agent', id: 'agent' }],
};

/** What fits is what parsing answers with; of what does not fit nothing is said. */
function agrees(value: unknown): void {
  if (!isChatEvent(value)) return;
  const read = chatEventSchema.safeParse(value);
  expect(read.success).toBe(true);
  expect(read.data).toStrictEqual(value);
}

function said(value: object): string {
  const read = readParams(chatEventSchema, value);
  return read.ok ? '' : JSON.stringify(read.error);
}

describe('an error about a field', () => {
  it.each([
    [{}, 'type: missing or unknown; expected '],
    [{ ...message, eventId: undefined }, 'eventId: missing; expected string'],
    [{ ...message, text: 5 }, 'text: expected string, received number'],
    [
      { ...message, conversation: { ...message.conversation, kind: 'room' } },
      'conversation.kind: expected one of',
    ],
  ])('says in plain words what is missing or wrong: %#', (value, words) => {
    expect(said(value)).toContain(words);
    expect(said(value)).not.toContain('Invalid');
  });
});

describe('an error about a field that nobody knows', () => {
  it('names what may be misspelt', () => {
    expect(said({ ...message, mention: [] })).toContain('Unrecognized key: \\"mention\\"');
  });

  it.each(['ear_p_4f8XbQ2m', 'AKIAIOSFODNN7EXAMPLE', 'pass word', 'x'.repeat(33)])(
    'does not repeat %s, as a name or in a path',
    (secret) => {
      expect(said({ ...message, [secret]: 1 })).toContain('Unrecognized key');
      expect(said({ ...message, [secret]: 1, mention: [] })).toContain('and 1 more');
      const nested = readParams(z.record(z.string(), z.number()), { [secret]: 'no' });
      for (const error of [said({ ...message, [secret]: 1 }), JSON.stringify(nested)])
        expect(error).not.toContain(secret);
    },
  );
});

describe('a value that fits', () => {
  it('is an ordinary event of any kind, with a time of either form', () => {
    const { text: _, mentions: __, ...base } = message;
    const events = [
      message,
      { ...message, at: '2026-11-16T04:00:00Z' },
      { ...message, replyTo: { eventId: 'e0', authorId: 'U2' }, attachments: [{ id: 'a', kind: 'image' }] },
      { ...message, text: undefined },
      { ...base, type: 'edit', targetEventId: 'e0', text: 'better' },
      { ...base, type: 'delete', targetEventId: 'e0' },
      { ...base, type: 'reaction', targetEventId: 'e0', signal: 'seen', removed: true },
      { ...base, type: 'membership', membership: { humans: 3, complete: false }, change: 'joined' },
      { ...base, type: 'typing', typing: true },
      { ...base, type: 'claim', op: 'renew', ttlMs: 60_000, token: 3 },
      { ...base, type: 'turn', phase: 'ended', eventIds: ['e0'], outcome: 'answered' },
    ];
    expect(events.filter((event) => !isChatEvent(event))).toEqual([]);
    expect(events.filter((event) => !chatEventSchema.safeParse(event).success)).toEqual([]);
  });

  it.each([
    ['a member nobody knows', { ...message, more: 1 }],
    [
      'a member of a prototype',
      Object.assign(Object.create({ at: 1 }) as object, { ...message, at: undefined }),
    ],
    ['a missing member', { ...message, author: { kind: 'human' } }],
    ['a text where a list belongs', { ...message, mentions: 'agent' }],
    ['a list with a hole', { ...message, mentions: Array(1) }],
    ['too many', { ...message, recipients: Array(17).fill('agent') }],
    ['too long', { ...message, eventId: 'e'.repeat(257) }],
    ['empty', { ...message, eventId: '' }],
    ['a time before time', { ...message, at: -1 }],
    ['a time that is none', { ...message, at: 'yesterday' }],
    ['no whole number', { ...message, at: 1.5 }],
    ['an unknown kind', { ...message, type: 'shout' }],
    ['another kind’s member', { ...message, targetEventId: 'e0' }],
    ['__proto__', JSON.parse('{"__proto__":{"type":"message"}}') as unknown],
    ['null', null],
    ['a list', [message]],
  ])('is not one with %s', (_, value) => {
    expect(isChatEvent(value)).toBe(false);
    expect(chatEventSchema.safeParse(value).success).toBe(false);
  });

  it('is what parsing would answer with, whatever is done to an event', () => {
    const members = [...Object.keys(message), 'origin', 'replyTo', 'visibility', 'target', '__proto__'];
    const change = fc.tuple(fc.constantFrom(...members), fc.oneof(fc.jsonValue(), fc.constant(undefined)));
    const changed = fc.array(change, { maxLength: 3 }).map((changes) => {
      const event: Record<string, unknown> = { ...message };
      for (const [name, value] of changes) {
        if (value === undefined) delete event[name];
        else
          Object.defineProperty(event, name, { value, enumerable: true, configurable: true, writable: true });
      }
      return event;
    });
    fc.assert(fc.property(changed, agrees), { numRuns: 2_000 });
    fc.assert(fc.property(fc.jsonValue(), agrees), { numRuns: 2_000 });
  });
});

describe('a schema that changes or hides what it reads', () => {
  it.each([
    ['drops members', z.object({ a: z.string() }), { a: 'x', b: 1 }],
    ['has a default', z.strictObject({ a: z.string().default('x') }), {}],
    ['has a default inside', z.strictObject({ a: z.string().default('x').optional() }), { a: undefined }],
    ['catches what is missing', z.strictObject({ a: z.string().catch('x') }), {}],
    [
      'fills in',
      z.strictObject({
        a: z
          .string()
          .optional()
          .transform((text) => text ?? 'x'),
      }),
      {},
    ],
    ['chooses the one that trims', z.union([z.string().trim(), z.string()]), ' x '],
    ['chooses the one that coerces', z.union([z.coerce.number(), z.string()]), '5'],
    ['chooses the one that catches', z.union([z.int().catch(1), z.string()]), 'x'],
    ['trims', z.strictObject({ a: z.string().trim() }), { a: ' x ' }],
    ['transforms', z.strictObject({ a: z.string().transform((text) => text.length) }), { a: 'x' }],
    ['transforms inside a list', z.array(z.string().trim()), [' x ']],
    ['refines', z.strictObject({ a: z.string() }).refine(() => false), { a: 'x' }],
    ['refines a list', z.array(z.string()).refine(() => false), ['x']],
    ['refines a choice', z.union([z.string(), z.int()]).refine(() => false), 'x'],
    [
      'refines what may be missing',
      z
        .string()
        .optional()
        .refine(() => false),
      undefined,
    ],
    ['refines a word', z.enum(['a']).refine(() => false), 'a'],
    ['refines a literal', z.literal('a').refine(() => false), 'a'],
    ['refines a number', z.int().refine(() => false), 1],
    ['refines a flag', z.boolean().refine(() => false), true],
    ['coerces', z.strictObject({ a: z.coerce.string() }), { a: 1 }],
    ['copies', z.record(z.string(), z.string()), { a: 'x' }],
    ['has bounds that exclude', z.int().gt(1).lt(3), 3],
  ])('is left to itself: it %s', (_, schema, value) => {
    expect(fitsFor(schema)(value)).toBe(false);
  });

  it.each([
    [z.int().gt(1).lt(3), 2],
    [z.union([z.string(), z.int()]), 4],
    [z.iso.datetime(), '2026-11-16T04:00:00Z'],
    [z.email(), 'ada@example.com'],
  ])('is asked where it keeps a plain value', (schema, value) => {
    expect(fitsFor(schema)(value)).toBe(true);
  });
});

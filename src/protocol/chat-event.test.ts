import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chatEventSchema } from './chat-event.ts';
import { delivery } from './delivery.fixture.ts';
import { fullEnvelopeSchema } from './envelope.ts';
import { projectFull } from './project.ts';
import { DIRECTEDNESS } from './vocabulary.ts';
import { identitySchema, wireAuthorSchema } from './wire-fields.ts';

const base = {
  eventId: 'evt_1',
  at: '2026-06-02T19:10:00Z',
  platform: 'web',
  workspaceId: 'W1',
  conversation: { id: 'C1', kind: 'channel' },
  author: { id: 'U1', kind: 'human', displayName: 'Will' },
};
const message = { ...base, type: 'message', text: 'hi' };
const edit = { ...base, type: 'edit', targetEventId: 'evt_0', text: 'hello', mentions: [] };
const removal = { ...base, type: 'delete', targetEventId: 'evt_0' };
const reaction = { ...base, type: 'reaction', targetEventId: 'evt_0', signal: 'done' };

function accepts(event: unknown): boolean {
  return chatEventSchema.safeParse(event).success;
}

describe('chat event', () => {
  it('comes from any platform, whatever its name [C2A-06-02/participants/any-message-source]', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }), (platform) => {
        expect(chatEventSchema.parse({ ...message, platform })).toMatchObject({ platform });
        const sent = projectFull(delivery({ platform }));
        expect(fullEnvelopeSchema.parse(sent)).toMatchObject({ source: { platform } });
      }),
    );
  });

  it.each(['persona', 'title', 'role', 'reportsTo', 'team'])(
    'has no place for the %s of its author, neither in the log nor on the wire [C2A-06-02/participants/identity-routes-only]',
    (field) => {
      const author = { ...base.author, [field]: 'chief of staff' };
      expect(accepts({ ...message, author })).toBe(false);
      expect(wireAuthorSchema.parse(author)).toEqual(base.author);
    },
  );

  it.each([
    ['agent:lead', true],
    ['human:@will:example.org', true],
    ['lead', false],
    ['cto:will', false],
    [{ id: 'U1', title: 'CTO' }, false],
  ])(
    'names others by what routes, a kind and an id: %j %s [C2A-06-02/participants/identity-routes-only]',
    (named, taken) => {
      expect(identitySchema.safeParse(named).success).toBe(taken);
    },
  );

  it.each(DIRECTEDNESS)(
    'of an agent carries that it was meant %s [C2A-06-02/outbound/carries-directedness]',
    (directedness) => {
      const sent = { ...message, author: { id: 'lead', kind: 'agent' }, target: { directedness } };
      expect(chatEventSchema.parse(sent)).toMatchObject({ target: { directedness } });
    },
  );

  it('carries no directedness that the draft does not have', () => {
    expect(accepts({ ...message, target: { directedness: 'to_all' } })).toBe(false);
  });

  it('that edits names what it edits and says what it reads now [OBL/11/edit-schema]', () => {
    expect(chatEventSchema.parse(edit)).toEqual(edit);
    expect(accepts({ ...edit, targetEventId: undefined })).toBe(false);
    expect(accepts({ ...edit, eventId: undefined })).toBe(false);
    expect(accepts({ ...edit, obligation: { blocks: 'none', defaultAction: 'x' } })).toBe(false);
  });

  it('that deletes names what it deletes and says nothing [OBL/11/delete-schema]', () => {
    expect(chatEventSchema.parse(removal)).toEqual(removal);
    expect(accepts({ ...removal, targetEventId: undefined })).toBe(false);
    expect(accepts({ ...removal, text: 'gone' })).toBe(false);
  });

  it.each(['👀', '✅', ':tada:'])(
    'that reacts says a signal, not %s [C2A-06-02/signal/not-the-emoji, C2A-06-24/signal/not-the-emoji]',
    (signal) => {
      expect(accepts(reaction)).toBe(true);
      expect(accepts({ ...reaction, signal })).toBe(false);
      expect(accepts({ ...reaction, glyph: signal })).toBe(false);
    },
  );
});

// The grammar of the host's ids: every kind is recognised, with a tag and derived, and ordinary ids of sources are not.
import { describe, expect, it } from 'vitest';
import {
  EVENT_ID_CHARS,
  HOST_ID_PREFIXES,
  hostId,
  type HostIdKind,
  isDerivedId,
  isHostId,
  isHostIdOf,
  isTaggedId,
  parseDerivedId,
  rootEventId,
  untagged,
  withTag,
} from './derived-id.ts';

const TAG = 'Xk3vQ1mZ9a-_';
const KINDS = Object.keys(HOST_ID_PREFIXES) as HostIdKind[];

describe('an id of the host', () => {
  it.each(KINDS)('of the kind %s is recognised', (kind) => {
    const id = hostId(kind, 'x');
    expect(isHostId(id)).toBe(true);
    expect(KINDS.filter((other) => isHostIdOf(other, id))).toEqual([kind]);
  });

  it.each(['evt_1/claimed', 'evt_1/retry-2', 'evt_1/escalated-lead', `42~${TAG}`, `42~${TAG}/claimed`])(
    'is %s',
    (id) => {
      expect(isHostId(id)).toBe(true);
    },
  );

  it.each([
    'evt_123',
    '42',
    '1748890000.000100',
    '$abc:matrix.org',
    'acme/app#12/comment/7',
    'x/edit-page',
    'my_out_1',
    'turn-1',
    'Out_1',
    '~',
    'a~b',
    `a~${TAG}x`,
    `a~${TAG.slice(1)}`,
    `a~${TAG.slice(1)}.`,
  ])('is not %s', (id) => {
    expect(isHostId(id)).toBe(false);
  });
});

describe('a tag', () => {
  it('is added to an id, and taken off again', () => {
    expect(withTag('42', TAG)).toBe(`42~${TAG}`);
    expect(isTaggedId(`42~${TAG}`)).toBe(true);
    expect(untagged(`42~${TAG}`)).toBe('42');
    expect(untagged(`42~${TAG}~${TAG}`)).toBe(`42~${TAG}`);
    expect(untagged('42')).toBeUndefined();
  });

  it('keeps an id within its length, and such an id is not guessed back', () => {
    for (const id of ['x'.repeat(EVENT_ID_CHARS), '🙂'.repeat(EVENT_ID_CHARS / 2)]) {
      const tagged = withTag(id, TAG);
      expect(tagged).toHaveLength(EVENT_ID_CHARS);
      expect(tagged.isWellFormed()).toBe(true);
      expect(untagged(tagged)).toBeUndefined();
    }
  });

  it('is no part of a derived id, whatever stands before it', () => {
    for (const id of ['x/claimed', 'x/retry-2', 'x/escalated-lead', 'x/undelivered-abc', 'x/ack-stop-lead']) {
      expect(isDerivedId(id)).toBe(true);
      expect(isDerivedId(withTag(id, TAG))).toBe(false);
      expect(parseDerivedId(`${withTag('x', TAG)}${id.slice(1)}`)?.of).toBe(withTag('x', TAG));
      expect(rootEventId(`${withTag(id, TAG)}/claimed`)).toBe(withTag(id, TAG));
    }
  });
});

// Names in text, for any set of registered names: an @ means exactly the name it spells, a word is not a name it
// merely contains.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { agentKey, foldText, shortKey } from '../../src/attention/index.ts';
import { calls, containsName, nameTable, textMentions } from '../../src/attention/text.ts';
import { room } from '../attention/room.ts';

const part = fc.constantFrom('lead', 'nova', 'bot', 'a', '2', 'eu', 'x9', 'relay', 'worker');
const hyphenated = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('-'));
const han = fc
  .array(fc.constantFrom('小', '明', '助', '手', '토', '라', 'ノ', 'バ'), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join(''));
const name = fc.oneof(hyphenated, han);
const nameSet = fc.uniqueArray(name, { minLength: 1, maxLength: 12, size: 'max' });
const around = fc.constantFrom('', ' ', ', ', '(', '"', '! ', '\n');

describe('@name', () => {
  it('means exactly that name among any others, never a part of it (agent-relay 1466)', () => {
    fc.assert(
      fc.property(
        nameSet,
        fc.nat(),
        around,
        fc.constantFrom('', ' please', ', look', '?', '.', '!', ') ok', '\n'),
        (names, pick, before, after) => {
          const table = nameTable(names.map((one) => [foldText(one), one] as const));
          const wanted = names[pick % names.length] ?? '';
          const text = foldText(`hey${before === '' ? ' ' : before}@${wanted}${after}`);
          expect(textMentions(text, table)).toEqual([wanted]);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('means nobody when nobody has that name, though some have its beginning', () => {
    fc.assert(
      fc.property(fc.uniqueArray(hyphenated, { minLength: 1, maxLength: 8 }), hyphenated, (names, other) => {
        fc.pre(!names.includes(other));
        const table = nameTable(names.map((one) => [one, one] as const));
        expect(textMentions(`hey @${other} look`, table)).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });

  it('wakes the one agent it spells, in a room of agents with such names', () => {
    fc.assert(
      fc.property(fc.uniqueArray(hyphenated, { minLength: 1, maxLength: 6 }), fc.nat(), (ids, pick) => {
        const wanted = ids[pick % ids.length] ?? '';
        const said = room({ agents: ids, membership: { humans: 3 } }).say('ann', `@${wanted}, can you look?`);
        expect(said.who('must_respond')).toEqual([wanted]);
      }),
      { numRuns: 200 },
    );
  });

  it('in an address is no mention', () => {
    const table = nameTable([
      ['lead', 'lead'],
      ['lead.example', 'host'],
    ]);
    expect(textMentions('write to jo@lead today', table)).toEqual([]);
    expect(textMentions('write to jo@lead.example', table)).toEqual([]);
    expect(textMentions('小明@lead 看看', table)).toEqual(['lead']);
  });
});

describe('a name in the text', () => {
  const letters = fc
    .array(fc.constantFrom('a', 'b', 'c', 'x', 'y', 'z', '0', '7'), { minLength: 1, maxLength: 6 })
    .map((all) => all.join(''));

  it.each([
    'innovation',
    'novas',
    'supernova',
    'nova-2',
    'my-nova',
    'nova.example',
    'nova@example',
    'x_nova',
  ])('is not in %j: "nova" is a word', (word) => {
    expect(containsName(`about ${word} today`, 'nova')).toBe(false);
  });

  it.each([
    'nova',
    'ask nova.',
    'nova: go',
    '(nova)',
    'nova’s turn',
    'nova - go',
    '…nova…',
    '问nova一下',
    'nova야',
    'nova!',
  ])('is in %j', (text) => {
    expect(containsName(foldText(text), 'nova')).toBe(true);
  });

  it('is never found inside a longer word, and always as a word of its own', () => {
    fc.assert(
      fc.property(letters, letters, letters, (before, one, after) => {
        const padded = `so ${before}_${one}_${after} it is`;
        expect(containsName(padded, one)).toBe(false);
        expect(containsName(`so ${one}, it is`, one)).toBe(true);
        expect(containsName(`so "${one}" it is`, one)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('is found anywhere in a script without spaces', () => {
    fc.assert(
      fc.property(han, han, han, (before, one, after) => {
        expect(containsName(`${before}${one}${after}`, one)).toBe(true);
      }),
    );
  });

  it.each([
    ['jane: look', true],
    ['@jane look', true],
    ['jane', true],
    ['can you look, jane?', true],
    ['janet, look', false],
    ['i told jane about it yesterday', false],
    ['look, mary-jane', false],
    ['and then...jane?', true],
  ])('calls somebody in %j: %s', (text, expected) => {
    expect(calls(text, 'jane')).toBe(expected);
  });
});

describe('keys', () => {
  it('are short, plain and the same for the same id, and agents’ keys are never people’s', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 256, unit: 'grapheme', size: 'max' }), (id) => {
        const key = shortKey(id);
        expect(key).toMatch(/^[\x21\x23-\x5b\x5d-\x7e]{1,8}$/);
        expect(shortKey(id)).toBe(key);
        expect(key.startsWith('@')).toBe(false);
      }),
      { numRuns: 1_000 },
    );
    for (const id of ['lead', 'a-rather-long-agent-id', 'x'.repeat(64)]) {
      expect(agentKey(id)).toMatch(/^@[\x21\x23-\x5b\x5d-\x7e]{1,10}$/);
    }
  });

  it('leave short ids readable and keep all others apart', () => {
    expect(['U1', 'ann', 'e1234567'].map(shortKey)).toEqual(['U1', 'ann', 'e1234567']);
    const ids = Array.from({ length: 20_000 }, (_, i) => `17822916${i}.${i * 7}`);
    expect(new Set(ids.map(shortKey)).size).toBe(ids.length);
    expect(new Set(ids.map((id) => agentKey(`agent-${id}`))).size).toBe(ids.length);
  });

  it('never take a hash, an agent or a blank for somebody’s own id', () => {
    const hashed = shortKey('somebody with a long id');
    for (const id of [hashed, '@lead', '#x', 'a b', ' ', '"', '\\']) expect(shortKey(id)).not.toBe(id);
  });
});

// Names in text, for any set of registered names: an @ means exactly the name it spells, a word is not a name it
// merely contains.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { agentKey, foldText, shortKey } from '../../src/attention/index.ts';
import { nameTable, textMentions } from '../../src/attention/text.ts';
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

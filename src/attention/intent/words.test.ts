// Checks the word lists as data: they are folded and well formed, and every language has every role that it needs.

import { describe, expect, it } from 'vitest';
import { foldText } from '../text.ts';
import { LANGUAGES, entries, expand } from './compile.ts';
import type { Role } from './words/shape.ts';

const NEEDED: readonly Role[] = [
  'thanks',
  'ack',
  'yes',
  'no',
  'filler',
  'leave',
  'stop',
  'cancel',
  'follow',
  'mentionOnly',
  'auto',
  'approve',
  'reject',
  'ask',
  'request',
  'please',
  'urgent',
  'safety',
  'blocker',
  'status',
  'contrast',
];

describe('word lists', () => {
  it.each(Object.entries(LANGUAGES))(
    '%s: every entry is stored folded and its braces are closed',
    (_, words) => {
      for (const list of Object.values(words)) {
        for (const entry of entries(list)) {
          expect(foldText(entry)).toBe(entry);
          expect(entry).not.toMatch(/[{}|]/);
        }
      }
    },
  );

  it.each(Object.entries(LANGUAGES).filter(([name]) => name !== 'symbols'))(
    '%s fills every role',
    (_, words) => {
      for (const role of NEEDED) expect(words[role], role).toBeTruthy();
      expect(words.asksStatus).toBeTruthy();
    },
  );

  it('stay small: brace patterns multiply, and the trie is built at every start', () => {
    const all = Object.values(LANGUAGES).flatMap((words) =>
      Object.values(words).flatMap((list) => entries(list)),
    );
    expect(all.length).toBeLessThan(60_000);
  });

  it('expands alternatives and the empty choice', () => {
    expect(expand('a {b|} {c|d}')).toEqual(['a b c', 'a b d', 'a c', 'a d']);
  });
});

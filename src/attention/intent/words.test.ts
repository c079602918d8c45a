// Checks the word lists as data: they are folded and well formed, and every language has every role that it needs.

import { describe, expect, it } from 'vitest';
import { foldText } from '../text.ts';
import { LANGUAGES, entries, expand } from './compile.ts';
import { REQUEST_LANGUAGES } from './request-words.ts';
import type { RequestWords } from './words/requests/shape.ts';
import type { Role } from './words/shape.ts';

const NEEDED: readonly Role[] = [
  'thanks',
  'ack',
  'yes',
  'no',
  'filler',
  'cancel',
  'solved',
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

/** What a language needs to ask an agent to leave, to stop, to be quiet and to come back. */
const ASKED: readonly (keyof RequestWords)[] = [
  'go',
  'halt',
  'talk',
  'hush',
  'back',
  'normal',
  'follow',
  'mention',
  'only',
  'less',
  'place',
  'may',
  'asks',
  'please',
  'around',
  'if',
  'said',
  'context',
  'reason',
  'never',
];

const LISTS: [string, object][] = [
  ...Object.entries(LANGUAGES),
  ...Object.entries(REQUEST_LANGUAGES).map(([name, words]): [string, object] => [
    `requests in ${name}`,
    words,
  ]),
];

function count(all: object): number {
  const lists = Object.values(all).flatMap((words: Record<string, string>) => Object.values(words));
  return lists.reduce((sum, list) => sum + entries(list).length, 0);
}

describe('word lists', () => {
  it.each(LISTS)('%s: every entry is stored folded and its braces are closed', (_, words) => {
    for (const list of Object.values(words as Record<string, string>)) {
      for (const entry of entries(list)) {
        expect(foldText(entry)).toBe(entry);
        expect(entry).not.toMatch(/[{}|]/);
      }
    }
  });

  it.each(Object.entries(LANGUAGES).filter(([name]) => name !== 'symbols'))(
    '%s fills every role',
    (_, words) => {
      for (const role of NEEDED) expect(words[role], role).toBeTruthy();
      expect(words.asksStatus).toBeTruthy();
    },
  );

  it.each(Object.entries(REQUEST_LANGUAGES))('%s can ask for everything', (_, words: RequestWords) => {
    for (const list of ASKED) expect(words[list], list).toBeTruthy();
  });

  it('stay small: brace patterns multiply, and the tries are built at every start', () => {
    expect(count(LANGUAGES)).toBeLessThan(60_000);
    expect(count(REQUEST_LANGUAGES)).toBeLessThan(70_000);
  });

  it('expands alternatives and the empty choice', () => {
    expect(expand('a {b|} {c|d}')).toEqual(['a b c', 'a b d', 'a c', 'a d']);
  });
});

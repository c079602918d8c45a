import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ownWords } from './own-words.ts';

/** X marks the place of code. */
const shown = (text: string): string => ownWords(text).replaceAll('\uFFFC', 'X');

describe('code is not said', () => {
  it.each([
    ['a span', 'run `@lead deploy` now', 'run X now'],
    ['a span of two marks', 'run ``a `@lead` b`` now', 'run X now'],
    ['a fence', 'look:\n```\n@lead stop\n```\nodd', 'look:\nX\nodd'],
    ['a fence with its language', '```sh\n@lead\n```', 'X'],
    ['a fence inside a line', 'look: ```@lead stop``` odd', 'look: X odd'],
    ['a longer fence', '````\n```\n@lead\n````\nok', 'X\nok'],
    ['an open fence, to the end', 'log:\n```\n@lead stop', 'log:\nX'],
    ['tildes', 'a\n~~~\n@lead\n~~~\nb', 'a\nX\nb'],
    ['an indented block', 'the log:\n\n    @lead stop\n    now\n\nodd', 'the log:\n\nX\nX\n\nodd'],
    ['a block after a tab', 'the log:\n\n\t@lead stop', 'the log:\n\nX'],
  ])('%s', (_what, text, own) => {
    expect(shown(text)).toBe(own);
  });

  it.each([
    ['a lone mark', 'it`s @lead'],
    ['marks of two lengths', '`a ``@lead b'],
    ['marks of two paragraphs', 'a ` b\n\n@lead ` c'],
    ['a lone fence inside a line', 'so ``` @lead'],
    ['a line drawn with tildes', '~~~~~~\n@lead look'],
    ['an indented line of a paragraph', 'first\n    @lead look'],
    ['an item of a list', '- one\n\n    @lead two\n- three'],
    ['spaces at the start', '    @lead look'],
  ])('but %s is', (_what, text) => {
    expect(ownWords(text)).toBe(text);
  });
});

describe('a quote is not said', () => {
  it.each([
    ['a line', '> @lead stop\nwhy?', 'why?'],
    ['a line as some platforms encode it', '&gt; @lead stop\nwhy?', 'why?'],
    ['lines between others', 'a\n> b\n>> c\nd', 'a\nd'],
    ['all that follows ">>>"', 'so\n>>> @lead\nand more', 'so'],
    ['every marked line of a mail', '>>> a\n>> b\n> c\n\n@lead look', '\n@lead look'],
    ['a quoted fence', '> ```\n> x\nno `code` here', 'no X here'],
  ])('%s', (_what, text, own) => {
    expect(shown(text)).toBe(own);
  });

  it('but an arrow or a comparison is', () => {
    const text = 'a -> b, 5 > 3, @lead';
    expect(ownWords(text)).toBe(text);
  });
});

it.each([
  ['**lead**, look', 'lead, look'],
  ['*lead*: look', 'lead: look'],
  ['***@lead*** look', '@lead look'],
  ['jane* look, 2 * 3 * 4', 'jane* look, 2 * 3 * 4'],
  ['_ethan_ look', '_ethan_ look'],
])('emphasis is not read: %s', (text, own) => {
  expect(ownWords(text)).toBe(own);
});

it('is total, never longer, and leaves plain text as it is', () => {
  const part = fc.constantFrom('`', '``', '```', '~~~', '> ', '\n', '\n\n', '    ', '@lead', 'a b', '- ');
  fc.assert(
    fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
      const text = parts.join('');
      expect(ownWords(text).length).toBeLessThanOrEqual(text.length);
    }),
  );
  expect(ownWords('@lead, is it green?')).toBe('@lead, is it green?');
});

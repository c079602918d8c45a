// A long text as several messages: nothing is lost, nothing is torn, and people read the same. The reader below is no
// part of the product: it says for every sign whether it stands in code, of the whole text and of the parts one by one.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutText, splitText } from '../../src/host/outbox/split-text.ts';
import { cases } from '../long.ts';

/** What people read, without blank space: code in capitals of its own, marks of fences and quotations left out. */
function read(text: string): string {
  let fence: { mark: string; column: number; quoted: boolean } | undefined;
  let shown = '';
  for (const line of text.split('\n')) {
    const quoted = /^ {0,3}>/.test(line);
    const said = line.replace(/^(?: {0,3}> ?)+/, '');
    const indent = said.length - said.trimStart().length;
    if (fence !== undefined && (fence.quoted !== quoted || (said.trim() !== '' && indent < fence.column)))
      fence = undefined;
    if (fence !== undefined) {
      const isEnd = said.trim().startsWith(fence.mark) && /^(`+|~+)$/.test(said.trim());
      if (isEnd) fence = undefined;
      else shown += code(said);
      continue;
    }
    const opener = /^(\s*(?:(?:[-*+]|\d+[.)]) +)*)(`{3,}|~{3,})[^`]*$/.exec(said);
    if (opener === null) shown += said.replace(/\s/g, '');
    else {
      const [, before = '', mark = ''] = opener;
      shown += before.replace(/\s/g, '');
      fence = { mark, column: before.trim() === '' ? 0 : before.length, quoted };
    }
  }
  return shown;
}

const code = (line: string): string => line.replace(/\s/g, '').replace(/./gu, (sign) => `${sign}\u0332`);

const word = fc.constantFrom(
  'lorem',
  'ipsum',
  'a',
  '**bold words**',
  '`code span`',
  '[a link](https://example.org/a_(b)?c=d)',
  '@lead',
  '<@U123>',
  '<https://example.org/path>',
  'https://example.org/long/path?with=query',
  '👩‍👩‍👧‍👦',
  '🇩🇪',
  'e\u0301\u0302',
  '日本語の文章がここにある。',
  '漢字',
  'done.',
  'Really?',
  '-',
  '1.',
  '#',
  '```x',
  'x'.repeat(70),
  '𝒳'.repeat(40),
);
const words = (most: number): fc.Arbitrary<string> =>
  fc
    .array(word, { minLength: 1, maxLength: most })
    .map((all) => all.join(' ').replace(/^((?:(?:-|1\.) )*)```x/, '$1x'));
const paragraph = words(40);
const list = fc
  .array(fc.tuple(fc.nat(2), words(8)), { minLength: 1, maxLength: 8 })
  .map((items) => items.map(([depth, said]) => `${'  '.repeat(depth)}- ${said}`).join('\n'));
const table = fc
  .array(fc.tuple(words(2), words(3)), { minLength: 1, maxLength: 12 })
  .map((rows) => ['| a | b |', '| --- | --- |', ...rows.map(([a, b]) => `| ${a} | ${b} |`)].join('\n'));
const codeLine = fc.constantFrom(
  '',
  'const x = 1;',
  '  if (a) { b(); }',
  '// 日本語 👩‍👩‍👧‍👦',
  'y'.repeat(150),
  '`` two',
  '| no | table |',
);
const codeLines = fc.array(codeLine, { maxLength: 20 });
const fenced = fc
  .tuple(fc.constantFrom('```', '````', '~~~'), fc.constantFrom('', 'ts', 'json title="a b"'), codeLines)
  .map(([mark, info, lines]) => [mark + info, ...lines, mark].join('\n'));
const indented = (by: string, first: string) => (block: string) =>
  block
    .split('\n')
    .map((line, index) => (index === 0 ? first : by) + line)
    .join('\n');
const block = fc.oneof(
  paragraph,
  list,
  table,
  fenced,
  fenced.map(indented('  ', '- ')),
  fenced.map(indented('> ', '> ')),
  paragraph.map(indented('> ', '> ')),
  words(3).map((text) => `## ${text}`),
);
const markdown = fc
  .array(fc.tuple(block, fc.constantFrom('\n\n', '\n\n\n', '\n \n')), { minLength: 1, maxLength: 20 })
  .map((blocks) => blocks.map(([text, gap]) => text + gap).join(''));

/** How often the texts have it whole. */
const count = (texts: readonly string[], one: string): number =>
  texts.reduce((sum, text) => sum + text.split(one).length - 1, 0);

const long = (length: number, end: string): string => 'word '.repeat(length / 5).trimEnd() + end;
const ends = (text: string): string[] => (splitText(text, 200, 9) ?? []).map((part) => part.slice(-6));

const runs = { numRuns: cases(300, 20_000) };

describe('a long text in parts', () => {
  it('is whole: what was left out is blank space, what was added are fences and marks of quotations', () => {
    fc.assert(
      fc.property(markdown, fc.integer({ min: 60, max: 700 }), (text, most) => {
        const parts = cutText(text, most);
        const joined = parts.map(({ gap, body }) => gap + body).join('');
        expect(text.startsWith(joined)).toBe(true);
        expect(text.slice(joined.length).trim()).toBe('');
        for (const { gap, opened, body, closed } of parts) {
          expect(gap.trim()).toBe('');
          expect(body.trim()).not.toBe('');
          expect((opened + body + closed).length).toBeLessThanOrEqual(most);
          expect((opened + body + closed).isWellFormed()).toBe(true);
        }
      }),
      runs,
    );
  });

  it('reads the same: each part by itself shows as code what was code', () => {
    fc.assert(
      fc.property(markdown, fc.integer({ min: 200, max: 900 }), (text, most) => {
        const parts = cutText(text, most).map(({ opened, body, closed }) => opened + body + closed);
        expect(parts.map(read).join('')).toBe(read(text));
      }),
      runs,
    );
  });

  it('tears no letter, link, mention or code span that fits into a message', () => {
    const whole = [
      '👩‍👩‍👧‍👦',
      '🇩🇪',
      'e\u0301\u0302',
      '<@U123>',
      '@lead',
      '`code span`',
      '**bold words**',
      'https://example.org/long/path?with=query',
      '[a link](https://example.org/a_(b)?c=d)',
    ];
    fc.assert(
      fc.property(
        fc.array(paragraph, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 150, max: 400 }),
        (all, most) => {
          // In a span of code that is too long for a message nothing is a link.
          const text = all.join('\n\n').replaceAll('```x', 'x');
          const parts = cutText(text, most).map(({ body }) => body);
          for (const one of whole) expect([one, count(parts, one)]).toEqual([one, count([text], one)]);
        },
      ),
      runs,
    );
  });

  it('ends after a paragraph, else after a line, else after a sentence, else after a word', () => {
    expect(ends(`${long(100, ' para.')}\n\n${long(50, ' line.')}\n${long(100, '.')}`)).toEqual([
      ' para.',
      ' word.',
    ]);
    expect(ends(`${long(100, ' one')}\n${long(50, ' two')}\n${long(100, '')}`)).toEqual(['rd two', 'd word']);
    expect(ends(`${long(150, ' stop.')} ${long(100, '')}`)).toEqual([' stop.', 'd word']);
    expect(ends(long(300, ''))).toEqual(['d word', 'd word']);
  });

  it('is as it was when it fits, fills its messages when they are few, and is refused beyond that', () => {
    expect(splitText(' as it is \n', 200, 1)).toEqual([' as it is \n']);
    const paragraphs = Array.from({ length: 12 }, () => 'x'.repeat(110)).join('\n\n');
    expect(splitText(paragraphs, 200, 20)).toHaveLength(12);
    expect(splitText(paragraphs, 200, 8)?.every((part) => part.length <= 200)).toBe(true);
    expect(splitText(paragraphs, 200, 6)).toBeUndefined();
  });

  it('is quick, whatever it is made of', () => {
    const nasty = ['[', '`', '@a ', '<', '**', '~~~\n', '> ', '- ', '1. ', 'http://', '\n', ' ', '“。', '𝒳'];
    for (const one of nasty) {
      const text = one.repeat(65_536 / one.length);
      expect(
        cutText(text, 4_000).every(({ opened, body, closed }) => (opened + body + closed).length <= 4_000),
      ).toBe(true);
    }
  }, 5_000);
});

// Markdown as blocks: a text that grows has the same blocks as one that is read at once, however it is cut, and keeps
// the objects of those that have ended. Every character of a text is in a block or between two.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { growBlocks, type MarkdownBlock, parseBlocks } from '../../src/console/chat/markdown/parse.ts';
import { isPlain } from '../../src/console/chat/markdown/plain.ts';
import { isSafeHref } from '../../src/console/chat/markdown/safe-href.ts';
import { cases } from '../long.ts';

const PIECES = [
  'words',
  ' ',
  '\n',
  '\n\n',
  '- item',
  '1. item',
  '  - deeper',
  '> quote',
  '```ts\n',
  '```',
  '~~~',
  '| a | b |',
  '\n|---|---|\n',
  '**bold**',
  '`code`',
  '# head',
  '---',
  '[x](https://example.org)',
  '<b>',
  '\t',
  '    four',
] as const;

const shape = (blocks: readonly MarkdownBlock[]) => blocks.map(({ from, source }) => ({ from, source }));

describe('blocks', () => {
  it('are the same for a text that grows and for one that is read at once', () => {
    const text = fc.array(fc.constantFrom(...PIECES), { maxLength: 24 });
    fc.assert(
      fc.property(text, (pieces) => {
        let so = '';
        let grown: readonly MarkdownBlock[] = [];
        for (const piece of pieces) {
          const before = grown;
          so += piece;
          grown = growBlocks(before, so);
          expect(shape(grown)).toEqual(shape(parseBlocks(so)));
          for (const [index, block] of before.slice(0, -2).entries()) expect(grown[index]).toBe(block);
        }
      }),
      { numRuns: cases(300, 5_000), seed: 7 },
    );
  });

  it('leave nothing but blank lines out', () => {
    const text = fc.array(fc.constantFrom(...PIECES), { maxLength: 24 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(text, (given) => {
        let end = 0;
        for (const { from, source } of parseBlocks(given)) {
          expect(given.slice(end, from).trim()).toBe('');
          end = from + source.length;
        }
        expect(given.slice(end).trim()).toBe('');
      }),
      { numRuns: cases(300, 5_000), seed: 7 },
    );
  });

  it('that are nested too deep keep their source and no tokens', () => {
    const deep = `${'> '.repeat(200)}end`;
    expect(parseBlocks(deep)).toMatchObject([{ source: deep, tokens: undefined }]);
  });

  it('fill up no table to more cells than the limit', () => {
    const wide = `|${'a|'.repeat(200)}\n|${'-|'.repeat(200)}\n${'|\n'.repeat(500)}`;
    const size = parseBlocks(wide).reduce((sum, block) => sum + block.size, 0);
    expect(size).toBeLessThan(3_000);
  });
});

it.each(['hello, how are you?', 'line\n\nanother', 'at 12:30 (or so) — 50%!', 'مرحبا'])(
  'needs no parser for %j, which the parser would leave as it is',
  (text) => {
    expect(isPlain(text)).toBe(true);
    const tokens = parseBlocks(text).flatMap((block) => block.tokens ?? []);
    expect([...new Set(tokens.flatMap(({ children }) => children ?? []).map(({ type }) => type))]).toEqual([
      'text',
    ]);
  },
);

it.each([
  ['https://example.org', true],
  ['mailto:a@example.org', true],
  ['HTTP://EXAMPLE.ORG', true],
  ['javascript:alert(1)', false],
  ['java\nscript:alert(1)', false],
  ['//example.org', false],
  ['https://a:b@example.org', false],
  ['https://example.org/\u202e', false],
  ['data:text/html,x', false],
])('%j may be a link: %s', (href, safe) => {
  expect(isSafeHref(href)).toBe(safe);
});

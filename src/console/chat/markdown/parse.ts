// Reads Markdown into blocks. This file is a chunk of its own (load-parser.ts), because the parser is larger than the
// rest of the chat. It makes tokens and never HTML: elements.tsx builds React elements from those it knows. HTML in a
// message stays text. markdown-it was chosen by measurement: on 30 hostile inputs of 16,000 characters it stays below a
// tenth of a second and never throws, while marked overflows the stack on deep quotes (docs/surfaces/web.md).
import MarkdownIt, { type Token } from 'markdown-it';
import { NESTING_MAX, TABLE_CELLS_MAX } from './limits.ts';
import { isSafeHref } from './safe-href.ts';

export type { Token };

/** A block of the first level: a paragraph, a list, a table. What follows can change the last two and no other. */
export interface MarkdownBlock {
  /** Where it begins in the text. */
  from: number;
  source: string;
  /** Undefined: nested too deep. It is shown as it was written. */
  tokens: readonly Token[] | undefined;
  /** How many elements it makes, about. */
  size: number;
}

const parser = newParser();
const withoutTables = newParser().disable('table');

function newParser(): ReturnType<typeof MarkdownIt> {
  const made = new MarkdownIt({ html: false, linkify: false, breaks: true });
  // Indented lines are no code and underlined ones no headings: in chat both are mostly accidents. A definition of a
  // link would make what it says invisible, and would reach from one block into another.
  made.disable(['code', 'lheading', 'reference']);
  made.set({ maxNesting: NESTING_MAX });
  made.validateLink = isSafeHref;
  return made;
}

export function parseBlocks(text: string, from = 0): MarkdownBlock[] {
  const source = from === 0 ? text : text.slice(from);
  const lines = lineStarts(source);
  const blocks: MarkdownBlock[] = [];
  let open: Token[] = [];
  const reader = hasHugeTable(source) ? withoutTables : parser;
  for (const token of reader.parse(source, {})) {
    open.push(token);
    if (token.level > 0 || token.nesting > 0) continue;
    const [first = 0, end = lines.length] = open[0]?.map ?? [];
    const start = lines[first] ?? 0;
    const slice = source.slice(start, lines[end] ?? source.length);
    blocks.push({ from: from + start, source: slice, ...judged(open) });
    open = [];
  }
  return blocks;
}

/**
 * The blocks of a text that begins as the text before it did. Only what may have changed is read again: the last block,
 * and the one before it, which goes on when the last line turns out to be something else.
 */
export function growBlocks(before: readonly MarkdownBlock[], text: string): readonly MarkdownBlock[] {
  const ended = before.slice(0, -2);
  const open = before.at(-2);
  const fresh = parseBlocks(text, open?.from ?? 0);
  // The same object is not rendered again.
  const kept = fresh.map((block, index) => (index === 0 && block.source === open?.source ? open : block));
  return [...ended, ...kept];
}

function judged(tokens: readonly Token[]): Pick<MarkdownBlock, 'tokens' | 'size'> {
  let size = 0;
  for (const { level, children } of tokens) {
    // Beyond its limit of nesting the parser leaves text out. Nothing may be left out, so the source is shown.
    if (level >= NESTING_MAX - 2) return { tokens: undefined, size: 1 };
    size += 1 + (children?.length ?? 0);
  }
  return { tokens, size };
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

const TABLE_RULE = /^[\s>]*[|:-][\s|:-]*$/;

/**
 * The parser fills up missing cells, so a few characters could make 65,536 of them. A text in which a table may have
 * more cells than the limit is read without tables.
 */
function hasHugeTable(text: string): boolean {
  const lines = text.split('\n');
  for (let at = 1; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (!line.includes('|') || !TABLE_RULE.test(line)) continue;
    const columns = line.split('|').length;
    let rows = 2;
    while (at + rows <= lines.length && lines[at + rows - 1]?.trim() !== '') rows++;
    if (columns * rows > TABLE_CELLS_MAX) return true;
    at += rows - 2;
  }
  return false;
}

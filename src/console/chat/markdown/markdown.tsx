// A text as blocks of Markdown. A block that has not changed is not rendered again, so a text that grows costs only its
// last block.
import { memo, type ReactNode, useRef } from 'react';
import { isolated } from './bidi.tsx';
import { blockElements } from './elements.tsx';
import { ELEMENTS_MAX, MARKDOWN_CHARS } from './limits.ts';
import { type Parser, useParser } from './load-parser.ts';
import type { MarkdownBlock } from './parse.ts';
import { isPlain } from './plain.ts';
import { Prose, type Reading } from './prose.tsx';

export function Markdown({ text, reading }: { text: string; reading: Reading }): ReactNode {
  return text.length > MARKDOWN_CHARS || isPlain(text) ? (
    <Written text={text} reading={reading} />
  ) : (
    <Blocks text={text} reading={reading} />
  );
}

function Written({ text, reading }: { text: string; reading: Reading }): ReactNode {
  return (
    <p dir="auto">
      <Prose text={text} reading={reading} />
    </p>
  );
}

function Blocks({ text, reading }: { text: string; reading: Reading }): ReactNode {
  const parser = useParser();
  const blocks = useBlocks(parser, text);
  if (blocks === undefined) return <Written text={text} reading={reading} />;
  let left = ELEMENTS_MAX;
  return blocks.map((block, index) => {
    left -= block.size;
    return <Block key={index} block={block} reading={reading} asWritten={left < 0} />;
  });
}

function useBlocks(parser: Parser | undefined, text: string): readonly MarkdownBlock[] | undefined {
  const last = useRef<{ text: string; blocks: readonly MarkdownBlock[] }>(undefined);
  if (parser === undefined) return undefined;
  const before = last.current;
  if (before?.text === text) return before.blocks;
  const blocks =
    before !== undefined && text.startsWith(before.text)
      ? parser.growBlocks(before.blocks, text)
      : parser.parseBlocks(text);
  last.current = { text, blocks };
  return blocks;
}

interface BlockProps {
  block: MarkdownBlock;
  reading: Reading;
  asWritten: boolean;
}

const Block = memo(function Block({ block, reading, asWritten }: BlockProps): ReactNode {
  if (block.tokens === undefined || asWritten) return <p dir="auto">{isolated(block.source.trimEnd())}</p>;
  return blockElements(block.tokens, reading);
});

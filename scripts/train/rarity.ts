// `node scripts/train/rarity.ts FILE… --out FILE`: how rare the words of each code are in labelled rooms, as
// src/attention/scorer/word-rarity.ts has it. Labels are not used. Features are made of that table, so another one needs
// features of another name.
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readLine } from '../../src/attention/scorer/line.ts';
import { CODE_COUNT } from '../../src/attention/scorer/words.ts';
import { foldText } from '../../src/attention/text.ts';

/** In one line of 32 or more, a word says nothing. Then by powers of two. */
const COMMON = 5;
const RAREST = 7;
const WIDTH = 96;

function main(): void {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { out: { type: 'string' } },
  });
  if (positionals.length === 0 || values.out === undefined) {
    console.error('usage: node scripts/train/rarity.ts FILE… --out FILE');
    process.exitCode = 2;
    return;
  }
  const texts = positionals.flatMap((file) => textsOf(file));
  writeFileSync(values.out, fileOf(raritiesOf(texts)));
}

function textsOf(file: string): string[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines
    .filter((line) => line.trim() !== '')
    .map((line) => (JSON.parse(line) as { text: string }).text);
}

function raritiesOf(texts: readonly string[]): number[] {
  const counts = Array.from({ length: CODE_COUNT }, () => 0);
  for (const text of texts) {
    const folded = foldText(text);
    for (const { code } of readLine(folded, folded).codes) counts[code] = (counts[code] ?? 0) + 1;
  }
  return counts.map((count) => {
    const power = Math.round(Math.log2(texts.length / (count + 1)));
    return Math.max(0, Math.min(RAREST, power - COMMON));
  });
}

function fileOf(rarities: readonly number[]): string {
  const digits = rarities.join('');
  const rows = Array.from({ length: Math.ceil(digits.length / WIDTH) }, (_, row) =>
    digits.slice(row * WIDTH, (row + 1) * WIDTH),
  );
  return `// How rare the words of each code are in the training rooms, from 0 (in one line of 32 or more) to 7, by powers of two.
// Written by scripts/train/rarity.ts. Features are made of it, so it is never changed.

const DIGITS =
${rows.map((row) => `  '${row}'`).join(' +\n')};

export const RARITY: Uint8Array = Uint8Array.from(DIGITS, Number);
`;
}

main();

// A long answer as models write them: tables, nested lists and code fences, some longer than one message may be.

export const AT_LENGTH = 'at length';
/** What every long answer ends with. */
export const LAST_LINE = 'That is all.';
const CHARS = 30_000;

/** Always the same to the same question. */
export function longAnswer(question: string): string {
  const sections = [`# The answer to ${question}`];
  for (let n = 1, length = 0; length < CHARS; n++) {
    const section = SECTIONS[n % SECTIONS.length]?.(n) ?? '';
    sections.push(section);
    length += section.length;
  }
  return [...sections, LAST_LINE].join('\n\n');
}

type Section = (n: number) => string;
const times = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n');

const paragraph: Section = (n) =>
  `Paragraph ${n}: ${'the deploy waits for *one* review, and `main` stays as it is; '.repeat(12).trim()}`;
const table: Section = (n) =>
  `| step ${n} | state | who |\n| --- | :---: | ---: |\n${times(25, (row) => `| ${n}.${row} | **done** | \`agent-${row}\` |`)}`;
const list: Section = (n) =>
  times(
    6,
    (item) =>
      `${item + 1}. item ${n}.${item}\n   - below it\n     - and below that, _with_ words\n   - again`,
  );
const code: Section = (n) =>
  `\`\`\`ts\n${times(60, (line) => `export const value_${n}_${line} = [${line}, '${'x'.repeat(line % 40)}']; // | not a table |`)}\n\`\`\``;
const longCode: Section = (n) =>
  `~~~sh\n${times(220, (line) => `run --step ${n}.${line} --with "${'y'.repeat(30)}" # - not a list`)}\n~~~`;

const SECTIONS: readonly Section[] = [paragraph, table, list, code, paragraph, longCode, list, table];

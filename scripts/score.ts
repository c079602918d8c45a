// `npm run score -- FILE [--json]`: scores how well the engine reads labelled chat. There are two kinds of file,
// recognized by their rows: who each message is for ("addressee"), and what it does ("intent"). The data is never part
// of the project.
import { readFileSync } from 'node:fs';
import { type AddresseeRow, scoreAddressee } from './score-addressee.ts';
import { scoreIntent } from './score-intent.ts';

interface IntentRow {
  text: string;
  gold: string;
  source: string;
  n: number;
}

const USAGE = 'usage: npm run score -- FILE [--json]   (JSON lines, as described in docs/scoring.md)';

function readRows(file: string): Record<string, unknown>[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, index) => {
      if (line.trim() === '') return [];
      try {
        return [JSON.parse(line) as Record<string, unknown>];
      } catch (error) {
        throw new Error(`${file}:${index + 1}: expected one JSON object a line`, { cause: error });
      }
    });
}

function score(file: string): { result: object; lines: string[] } {
  const rows = readRows(file);
  const first = rows[0];
  if (first !== undefined && 'addressee' in first) {
    const policies = scoreAddressee(rows as unknown as AddresseeRow[]);
    const lines = Object.entries(policies).map(
      ([name, { precision, recall, f1, turns }]) =>
        `${name.padEnd(18)} precision ${precision.toFixed(3)}  recall ${recall.toFixed(3)}  F1 ${f1.toFixed(3)}  turns ${turns}`,
    );
    return { result: { kind: 'addressee', file, policies }, lines };
  }
  if (first !== undefined && 'gold' in first) {
    const result = { file, ...scoreIntent(rows as unknown as IntentRow[]) };
    const lines = Object.entries(result.perClass).map(
      ([name, { precision, recall, f1, support }]) =>
        `${name.padEnd(10)} precision ${precision.toFixed(3)}  recall ${recall.toFixed(3)}  F1 ${f1.toFixed(3)}  rows ${support}`,
    );
    const silenced = `silenced ${result.silencedPct.toFixed(3)} % of ${result.questionsAndRequests} questions and requests (at most 0.2 %)`;
    return { result, lines: [...lines, `macro F1 ${result.macroF1.toFixed(3)}`, silenced] };
  }
  throw new Error(`${file}: expected rows with "addressee" or with "gold". ${USAGE}`);
}

function main(): number {
  const file = process.argv.slice(2).find((argument) => !argument.startsWith('--'));
  if (file === undefined) {
    console.error(USAGE);
    return 2;
  }
  try {
    const { result, lines } = score(file);
    console.log(process.argv.includes('--json') ? JSON.stringify(result) : lines.join('\n'));
    return 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    return 1;
  }
}

process.exitCode = main();

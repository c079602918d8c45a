// `npm run score -- FILE [--json] [--thin SHARE] [--thoughts]`: scores how well the engine reads labelled chat. There are
// two kinds of file, recognized by their rows: who each message is for ("addressee"), and what it does ("intent"). The data
// is never part of the project.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { AddresseeRow } from './labelled-rooms.ts';
import { scoreAddressee } from './score-addressee.ts';
import { scoreIntent, scoreSources } from './score-intent.ts';
import { type ThoughtScore, scoreThoughts } from './score-thoughts.ts';

interface IntentRow {
  text: string;
  gold: string;
  source: string;
  n: number;
}

const USAGE =
  'usage: npm run score -- FILE [--json] [--thin SHARE] [--thoughts]   (JSON lines, as described in docs/scoring.md)';
/** Thinned copies are the same in every run. */
const THIN_SEED = 7;

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

interface Choice {
  keep: number | undefined;
  thoughts: boolean;
}

function score(file: string, { keep, thoughts }: Choice): { result: object; lines: string[] } {
  const rows = readRows(file);
  const first = rows[0];
  if (first !== undefined && 'addressee' in first && thoughts) {
    const scores = scoreThoughts(rows as unknown as AddresseeRow[]);
    return { result: { kind: 'thoughts', file, scores }, lines: scores.map(thoughtLine) };
  }
  if (first !== undefined && 'addressee' in first) {
    const thinning = keep === undefined ? undefined : { keep, seed: THIN_SEED };
    const policies = scoreAddressee(rows as unknown as AddresseeRow[], thinning);
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
    const sources = scoreSources(rows as unknown as IntentRow[]);
    const each = Object.entries(sources).map(
      ([name, { rows: count, macroF1, silenced }]) =>
        `${name.padEnd(14)} macro F1 ${macroF1.toFixed(3)}  rows ${count}  silenced ${silenced}`,
    );
    const silenced = `silenced ${result.silencedPct.toFixed(3)} % of ${result.questionsAndRequests} questions and requests (at most 0.1 %)`;
    const macro = `macro F1 ${result.macroF1.toFixed(3)}`;
    return { result: { ...result, sources }, lines: [...lines, macro, silenced, '', ...each] };
  }
  throw new Error(`${file}: expected rows with "addressee" or with "gold". ${USAGE}`);
}

function thoughtLine({ modelMs, way, one, none, several, thoughts, wait, answered }: ThoughtScore): string {
  const shares = `one turn ${one.toFixed(1)} %  none ${none.toFixed(1)} %  several ${several.toFixed(1)} %`;
  const waits = `wait ${secondsOf(wait)}, answer ${secondsOf(answered)}`;
  return `model ${modelMs / 1_000} s, ${way.padEnd(6)}  ${shares}  of ${thoughts} thoughts  ${waits}`;
}

function secondsOf({ median, mean }: ThoughtScore['wait']): string {
  return `${(median / 1_000).toFixed(1)} s (mean ${(mean / 1_000).toFixed(1)})`;
}

function main(): number {
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: {
        json: { type: 'boolean', default: false },
        thin: { type: 'string' },
        thoughts: { type: 'boolean', default: false },
      },
    });
    const [file] = positionals;
    const keep = values.thin === undefined ? undefined : Number(values.thin);
    if (file === undefined || (keep !== undefined && !(keep > 0 && keep <= 1))) {
      console.error(USAGE);
      return 2;
    }
    const { result, lines } = score(file, { keep, thoughts: values.thoughts });
    console.log(values.json ? JSON.stringify(result) : lines.join('\n'));
    return 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    return 1;
  }
}

process.exitCode = main();

// A fault is one line of the product made wrong on purpose. The test that a requirement row cites must notice it; a row
// whose test stays green promises nothing. Faults are data (faults/), run.ts plants them, one after the other.
import type { SourceFile } from '../architecture/tree.ts';
import type { Citation } from '../conformance/citations.ts';
import type { Requirement } from '../conformance/requirement.ts';
import { isWireTest } from '../conformance/shown.ts';

export interface Fault {
  /** The id of the requirement whose cited test must turn red. */
  row: string;
  file: string;
  /** Stands exactly once in the file. The fault is in one line of it; more may be there to tell it from others. */
  from: string;
  /** What is there instead. It parses, and does the wrong thing. */
  to: string;
}

/** So many different rows at least have a fault of their own. */
export const ROWS_MIN = 60;

/** The text of the file with the fault in it. */
export function plant({ file, from, to }: Fault, text: string): string {
  const [before, after, ...more] = text.split(from);
  if (before === undefined || after === undefined || more.length > 0)
    throw new Error(`${file}: "${from}" must stand there exactly once`);
  return `${before}${to}${after}`;
}

/**
 * The test files that can notice a fault of this row. They run in one process with the fault, so the browser's do not
 * count. For a row that is shown on the wire, a test of the fold alone does not count either.
 */
export function testsOf(row: Requirement, citations: readonly Citation[]): string[] {
  const files = citations.filter(({ id }) => id === row.id).map(({ at }) => at.replace(/:\d+$/, ''));
  return [...new Set(files)].filter(
    (file) => (row.shown !== 'wire' || isWireTest(file)) && !file.startsWith('test/browser/'),
  );
}

/** Matches the titles that cite the row, and no longer id. */
export function citing(row: string): RegExp {
  return new RegExp(`(?<=[[,] ?)${row.replaceAll('/', '\\/')}(?=[\\],])`);
}

export interface FaultList {
  faults: readonly Fault[];
  requirements: readonly Requirement[];
  citations: readonly Citation[];
  files: readonly SourceFile[];
}

/** What is wrong with the list itself, as lines for a person. The list gets stale when the code around it changes. */
export function complaintsAbout(list: FaultList): string[] {
  const rows = new Set(list.faults.map(({ row }) => row));
  return [
    ...list.faults.flatMap((fault) => complaints(fault, list).map((what) => `${fault.row}: ${what}`)),
    ...(rows.size < ROWS_MIN ? [`${rows.size} rows have a fault: at least ${ROWS_MIN} must`] : []),
  ];
}

function complaints(fault: Fault, { requirements, citations, files }: FaultList): string[] {
  const row = requirements.find(({ id }) => id === fault.row);
  const text = files.find(({ path }) => path === fault.file)?.text;
  const times = (text ?? '').split(fault.from).length - 1;
  return [
    ...(row === undefined ? ['no such row in requirements/: correct the id'] : []),
    ...(row !== undefined && testsOf(row, citations).length === 0
      ? ['cited by no test that can notice it: cite it in test/wire']
      : []),
    ...(fault.file.startsWith('src/') ? [] : [`${fault.file} is not code of the product`]),
    ...(times === 1 ? [] : [`"${fault.from}" stands ${times} times in ${fault.file}: plant it anew`]),
    ...(fault.from === fault.to ? ['"from" and "to" are the same'] : []),
  ];
}

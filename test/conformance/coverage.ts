// The check that keeps the map honest: every required behaviour is either shown by a test or pending for an area that
// is not built yet, and nothing is both. A row is shown by a test of the kind that it names.
import type { Citation } from './citations.ts';
import type { Area, Requirement } from './requirement.ts';

export interface Coverage {
  requirements: readonly Requirement[];
  citations: readonly Citation[];
  /** Ids by the area that will close them. */
  pending: Readonly<Partial<Record<Area, readonly string[]>>>;
  /** Areas that may have nothing pending. */
  built: readonly Area[];
  /** Whether a test file goes through a real transport against the running host. */
  isWireTest: (path: string) => boolean;
  /** MUST and SHOULD rows that are not shown on the wire, and why. */
  notOnTheWire: Readonly<Record<string, string>>;
}

export const ROWS_MIN = 150;

export interface Finding {
  /** What is wrong with the ids and what to do about it. */
  problem: string;
  ids: string[];
}

/** Every kind of finding, each with its ids; a kind without ids is no finding. */
export function findings(coverage: Coverage): Finding[] {
  const { requirements, citations, pending, built } = coverage;
  const areas = new Map(requirements.map(({ id, area }) => [id, area]));
  const cited = new Set(citations.map(({ id }) => id));
  const pendingRows = Object.entries(pending).flatMap(([area, ids]) => ids.map((id) => ({ id, area })));
  const waiting = new Set(pendingRows.map(({ id }) => id));
  const all: Finding[] = [
    ...shownFindings(coverage),
    {
      problem: 'used twice in requirements/: ids are unique, rename the later one',
      ids: repeated(requirements.map(({ id }) => id)),
    },
    {
      problem:
        'cited by no test: put [ID] into the title of the test that shows it, or req: ID into its case; if its area is not built yet, list it in pending.ts',
      ids: requirements
        .filter(({ id }) => !cited.has(id) && !waiting.has(id))
        .map(({ id, area }) => `${id} (${area})`),
    },
    {
      problem: 'cited but not in requirements/: correct the id in the test',
      ids: citations.filter(({ id }) => !areas.has(id)).map(({ id, at }) => `${id} (${at})`),
    },
    {
      problem: 'cited and yet pending: it has a test now, take it off pending.ts',
      ids: pendingRows
        .filter(({ id }) => cited.has(id))
        .map(({ id }) => `${id} (${citations.find((citation) => citation.id === id)?.at})`),
    },
    {
      problem: 'pending in an area that is built: write its test and take it off pending.ts',
      ids: pendingRows
        .filter(({ id, area }) => built.some((name) => name === area || name === areas.get(id)))
        .map(({ id }) => id),
    },
    {
      problem: 'in pending.ts but not in requirements/: take it off',
      ids: pendingRows.filter(({ id }) => !areas.has(id)).map(({ id }) => id),
    },
    {
      problem: 'pending under another area than its row names: move it',
      ids: pendingRows
        .filter(({ id, area }) => areas.has(id) && areas.get(id) !== area)
        .map(({ id, area }) => `${id} (${area}, its row says ${areas.get(id)})`),
    },
    {
      problem: 'listed twice in pending.ts: keep one',
      ids: repeated(pendingRows.map(({ id }) => id)),
    },
    {
      problem: `fewer than ${ROWS_MIN} rows: the map has lost parts of the texts, bring them back`,
      ids: requirements.length < ROWS_MIN ? [`${requirements.length} rows`] : [],
    },
  ];
  return all.filter(({ ids }) => ids.length > 0);
}

/** What a row claims about its proof is true: a test of that kind cites it, and behaviour is shown on the wire. */
function shownFindings({ requirements, citations, isWireTest, notOnTheWire }: Coverage): Finding[] {
  const onTheWire = new Set(
    citations.filter(({ at }) => isWireTest(at.replace(/:\d+$/, ''))).map(({ id }) => id),
  );
  const cited = new Set(citations.map(({ id }) => id));
  const shown = new Map(requirements.map((row) => [row.id, row]));
  return [
    {
      problem:
        'shown by `wire`, but cited by no test that goes through a real transport: cite it in test/wire, or say how it is shown',
      ids: requirements
        .filter(({ id, shown: how }) => how === 'wire' && cited.has(id) && !onTheWire.has(id))
        .map(({ id }) => id),
    },
    {
      problem:
        'binding, but not shown on the wire: write its test in test/wire; if no client can see it, give the reason in shown.ts',
      ids: requirements
        .filter((row) => isBinding(row) && row.shown !== 'wire' && notOnTheWire[row.id] === undefined)
        .map(({ id, shown: how }) => `${id} (${how})`),
    },
    {
      problem: 'in shown.ts without need: it is unknown, not binding, or shown on the wire; take it off',
      ids: Object.keys(notOnTheWire).filter((id) => {
        const row = shown.get(id);
        return row === undefined || !isBinding(row) || row.shown === 'wire';
      }),
    },
  ];
}

function isBinding({ level }: Requirement): boolean {
  return level === 'MUST' || level === 'SHOULD';
}

export function describeFindings(found: readonly Finding[]): string {
  return found
    .map(({ problem, ids }) => `\n${ids.length} ${problem}\n${ids.map((id) => `  ${id}`).join('\n')}\n`)
    .join('');
}

function repeated(ids: readonly string[]): string[] {
  return [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))];
}

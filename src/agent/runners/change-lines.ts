// A short picture of how a file changes: the lines that go and the lines that come, a few of them. A person decides by
// it, so what is left out is counted.

export interface Change {
  /** Each begins with `-`, `+` or a blank. */
  lines: readonly string[];
  /** How many further lines are not shown. */
  more: number;
}

const LINES = 16;
const LINE_CHARS = 160;
/** Of a larger text only the beginning is compared. */
const READ_CHARS = 200_000;

/** What is the same at the beginning and at the end is left out. */
export function changeBetween(before: string, after: string): Change {
  const [old, now] = [linesOf(before), linesOf(after)];
  let same = 0;
  while (same < old.length && same < now.length && old[same] === now[same]) same += 1;
  let tail = 0;
  while (
    tail < old.length - same &&
    tail < now.length - same &&
    old[old.length - 1 - tail] === now[now.length - 1 - tail]
  )
    tail += 1;
  const gone = old.slice(same, old.length - tail).map((line) => `-${line}`);
  const come = now.slice(same, now.length - tail).map((line) => `+${line}`);
  return short(gone, come);
}

/** Of a patch in the usual form. */
export function changeOf(patch: string): Change {
  const lines = linesOf(patch).filter((line) => /^(?:[-+](?![-+]{2})|\*\*\* )/.test(line));
  return short(lines, []);
}

/** Both halves get their share, so that a long removal does not hide what is written instead. */
function short(gone: readonly string[], come: readonly string[]): Change {
  const half = Math.floor(LINES / 2);
  const goneShown = Math.min(gone.length, Math.max(half, LINES - come.length));
  const comeShown = Math.min(come.length, LINES - goneShown);
  const lines = [...gone.slice(0, goneShown), ...come.slice(0, comeShown)].map((line) =>
    line.length > LINE_CHARS ? `${line.slice(0, LINE_CHARS)}…` : line,
  );
  return { lines, more: gone.length + come.length - lines.length };
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.slice(0, READ_CHARS).replace(/\n$/, '').split('\n');
}

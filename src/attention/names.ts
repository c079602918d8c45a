// Finding names in text. Three questions: is this name somewhere in the text (rung 9), whom does an @ in it mean
// (rung 4), and does the message call somebody at its head or end (aimed elsewhere, exchange).
// All on folded text. A mention is the longest registered name, hyphens included: "@lead-2" is never "@lead".
import { isUnbounded, isWordChar } from './text.ts';

/** A word boundary lies on both sides, where the script has word boundaries; behind a name cut short, anything. */
export function containsName(folded: string, name: string, cut = false): boolean {
  for (let from = folded.indexOf(name); from >= 0; from = folded.indexOf(name, from + 1)) {
    if (startsWord(folded, from) && (cut || endsWord(folded, from + name.length))) return true;
  }
  return false;
}

function startsWord(folded: string, at: number): boolean {
  if (at === 0) return true;
  const first = folded[at] ?? '';
  const before = folded[at - 1] ?? '';
  if (!isWordChar(first) || isUnbounded(first) || isUnbounded(before)) return true;
  if (isWordChar(before)) return false;
  // "my-lead" is another name; "-lead" and "...lead" are punctuation in front of this one.
  const beyond = folded[at - 2];
  return !(beyond !== undefined && isWordChar(beyond) && (before === '-' || before === '.'));
}

function endsWord(folded: string, at: number): boolean {
  const last = folded[at - 1] ?? '';
  const after = folded[at];
  if (after === undefined || !isWordChar(last) || isUnbounded(last) || isUnbounded(after)) return true;
  if (isWordChar(after)) return false;
  // "lead-2", "lead.bot" and "lead@example" are other names; "lead-" and "lead." at the end are punctuation.
  const beyond = folded[at + 1];
  return !(beyond !== undefined && isWordChar(beyond) && (after === '-' || after === '.' || after === '@'));
}

export interface NameTable {
  /** Folded names, longest first, each with what it stands for. */
  entries: readonly { name: string; id: string }[];
}

export function nameTable(pairs: Iterable<readonly [name: string, id: string]>): NameTable {
  const entries = [...pairs].filter(([name]) => name !== '').map(([name, id]) => ({ name, id }));
  return { entries: entries.toSorted((a, b) => b.name.length - a.name.length) };
}

/** Everything written with an @ that is a registered name, in order, each once. */
export function textMentions(folded: string, table: NameTable): string[] {
  const found: string[] = [];
  for (let at = folded.indexOf('@'); at >= 0; at = folded.indexOf('@', at + 1)) {
    const before = at > 0 ? (folded[at - 1] ?? '') : '';
    if (before !== '' && isWordChar(before) && !isUnbounded(before)) continue; // an address: jo@lead.example
    const id = nameAt(folded, at + 1, table);
    if (id !== undefined && !found.includes(id)) found.push(id);
  }
  return found;
}

/** The longest registered name that stands at this place and ends there as a word. */
export function nameAt(folded: string, at: number, table: NameTable): string | undefined {
  for (const entry of table.entries) {
    if (folded.startsWith(entry.name, at) && endsWord(folded, at + entry.name.length)) return entry.id;
  }
  return undefined;
}

/** Whether the text calls this name: at its head ("jane: …", "@jane …", "jane …") or its end ("…, jane?"). */
export function calls(folded: string, name: string): boolean {
  let at = 0;
  while (folded[at] === ' ' || folded[at] === '@') at++;
  if (folded.startsWith(name, at) && endsWord(folded, at + name.length)) return true;
  let end = folded.length;
  while (end > 0 && !isWordChar(folded[end - 1] ?? '')) end--;
  const from = end - name.length;
  return from > 0 && folded.startsWith(name, from) && startsWord(folded, from);
}

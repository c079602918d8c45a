// Folds text and finds names in it. Text is folded once per event: whatever matches names or intents works on the folded
// form. Folding means NFKC, lower case and no combining accents, so "José" equals "jose" and full-width letters equal
// ASCII.

// Latin, Greek and Cyrillic accents only. The marks of kana, Thai or Devanagari make other letters.
const ACCENTS = /[\u0300-\u036f]+/g;
const ASCII = /^[\x20-\x7e\n\t]*$/;

export function foldText(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  // Composed again at the end, because NFKD also takes Hangul syllables and kana apart.
  return text.normalize('NFKD').replace(ACCENTS, '').normalize('NFKC').toLowerCase();
}

const WORD = /[\p{L}\p{N}_]/u;

/** Scripts without spaces, or in which particles attach to names. A name there need not end as a word. */
const UNBOUNDED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

/** The first code point of Thai, the first of these scripts. */
const FIRST_UNBOUNDED = 0x0e00;

export function isUnbounded(char: string): boolean {
  return char.charCodeAt(0) >= FIRST_UNBOUNDED && UNBOUNDED.test(char);
}

export function isWordChar(char: string): boolean {
  const code = char.charCodeAt(0);
  return code < 128 ? ASCII_WORD[code] === 1 : WORD.test(char);
}

/** Whether the character at this place is one. Most are told by the table, without a string for each. */
export function isWordAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code < 128 ? ASCII_WORD[code] === 1 : WORD.test(text.charAt(at));
}

const ASCII_WORD = Uint8Array.from({ length: 128 }, (_, code) =>
  Number(WORD.test(String.fromCharCode(code))),
);

/** FNV-1a, 32 bits: for comparing texts inside one conversation, never for security. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  }
  return hash >>> 0;
}

// Names in folded text: where one begins and ends, whom an @ means (rung 4), whether a name is anywhere in the text.
// called.ts says whom a name without an @ calls. A mention is the longest registered name, hyphens included: "@lead-2"
// is never "@lead".

export function startsWord(folded: string, at: number): boolean {
  if (at === 0) return true;
  const first = folded[at] ?? '';
  const before = folded[at - 1] ?? '';
  if (!isWordChar(first) || isUnbounded(first) || isUnbounded(before)) return true;
  if (isWordChar(before)) return false;
  // "my-lead" is another name; "-lead" and "...lead" are punctuation in front of this one.
  const beyond = folded[at - 2];
  return !(beyond !== undefined && isWordChar(beyond) && (before === '-' || before === '.'));
}

export function endsWord(folded: string, at: number): boolean {
  const last = folded[at - 1] ?? '';
  const after = folded[at];
  if (after === undefined || !isWordChar(last) || isUnbounded(last) || isUnbounded(after)) return true;
  if (isWordChar(after)) return false;
  // "lead-2", "lead.bot" and "lead@example" are other names; "lead-" and "lead." at the end are punctuation.
  const beyond = folded[at + 1];
  return !(beyond !== undefined && isWordChar(beyond) && (after === '-' || after === '.' || after === '@'));
}

/** A tree of folded names. One walk finds every name at a place, however many are registered. */
export interface NameTable {
  root: NameNode;
  /** The ASCII characters with which a name begins. */
  opens: readonly boolean[];
  /** The length of the longest name. */
  longest: number;
}

interface NameNode {
  /** The ids of the name that ends here, in the order of registration. */
  ids: string[];
  next: Map<number, NameNode> | undefined;
}

export function nameTable(pairs: Iterable<readonly [name: string, id: string]>): NameTable {
  const root: NameNode = { ids: [], next: undefined };
  const opens = Array.from({ length: 128 }, () => false);
  let longest = 0;
  for (const [name, id] of pairs) {
    if (name === '') continue;
    let node = root;
    longest = Math.max(longest, name.length);
    for (let i = 0; i < name.length; i++) node = child(node, name.charCodeAt(i));
    node.ids.push(id);
    if (name.charCodeAt(0) < 128) opens[name.charCodeAt(0)] = true;
  }
  return { root, opens, longest };
}

function child(node: NameNode, code: number): NameNode {
  node.next ??= new Map();
  let next = node.next.get(code);
  if (next === undefined) {
    next = { ids: [], next: undefined };
    node.next.set(code, next);
  }
  return next;
}

const NOBODY: ReadonlySet<string> = new Set();

/** Whose name is anywhere in the text, also inside a word. */
export function namesIn(folded: string, { root, opens }: NameTable): ReadonlySet<string> {
  let found: Set<string> | undefined;
  for (let from = 0; from < folded.length; from++) {
    const code = folded.charCodeAt(from);
    if (code < 128 && opens[code] === false) continue;
    let node = root.next?.get(code);
    for (let at = from + 1; node !== undefined; at++) {
      if (node.ids.length > 0) {
        found ??= new Set();
        for (const id of node.ids) found.add(id);
      }
      node = at < folded.length ? node.next?.get(folded.charCodeAt(at)) : undefined;
    }
  }
  return found ?? NOBODY;
}

/** The registered names that are written with an @, in order, each once. */
export function textMentions(folded: string, table: NameTable): string[] {
  const found: string[] = [];
  for (let at = folded.indexOf('@'); at >= 0; at = folded.indexOf('@', at + 1)) {
    const before = at > 0 ? (folded[at - 1] ?? '') : '';
    if (before !== '' && isWordChar(before) && !isUnbounded(before)) continue; // an address: jo@lead.example
    // "<@!123>" is how one platform writes the account 123, "<@&123>" the role.
    const from = before === '<' && '!&'.includes(folded[at + 1] ?? ' ') ? at + 2 : at + 1;
    const name = namesAt(folded, from, table);
    const id = name?.ids[0];
    if (name === undefined || id === undefined || isInPath(folded, at, name.end, table)) continue;
    if (!found.includes(id)) found.push(id);
  }
  return found;
}

const TAG = /@[\p{L}\p{N}_.-]+/gu;

export function withoutTags(folded: string): string {
  return folded.includes('@') ? folded.replaceAll(TAG, '@') : folded;
}

const BEFORE_NAME = /@[\p{L}\p{N}_.-]*[ \u00a0]?$/u;
/** Longer tags are not looked back over. */
const TAG_CHARS = 64;

/** Whether what begins here is part of a tag: "lead" in "@lead", and in "@Smith Lead", where a name has two words. */
export function isBehindTag(folded: string, at: number): boolean {
  return BEFORE_NAME.test(folded.slice(Math.max(0, at - TAG_CHARS), at));
}

const ADDRESS = /:\/\/|[\p{L}\p{N}]\.[\p{L}\p{N}].*\//u;

/** Part of a link or a path: "https://git.example/@lead", "@lead/core". "@lead/@builder" are two mentions. */
export function isInPath(folded: string, at: number, end: number, table: NameTable): boolean {
  if (folded[end] === '/' && isWordChar(folded[end + 1] ?? ' '))
    return namesAt(folded, end + 1, table) === undefined;
  if (folded[at - 1] === undefined || !LINK_CHARS.includes(folded[at - 1] ?? '')) return false;
  let begin = at;
  while (begin > 0 && (folded[begin - 1] ?? ' ') > ' ') begin--;
  const before = folded.slice(begin, at);
  return ADDRESS.test(before) && !before.endsWith(PILL);
}

/** Links of Matrix to a person are how its clients write a mention. */
const PILL = '//matrix.to/#/';

/** What may stand before an @ inside a link. */
const LINK_CHARS = '/=:?&#';

/** The longest registered name that begins at this place and ends as a word. */
export function namesAt(
  folded: string,
  at: number,
  { root, opens }: NameTable,
): { ids: readonly string[]; end: number } | undefined {
  const code = folded.charCodeAt(at);
  if (code < 128 && opens[code] === false) return undefined;
  let longest: { ids: readonly string[]; end: number } | undefined;
  let node: NameNode | undefined = root.next?.get(code);
  for (let end = at + 1; node !== undefined; end++) {
    if (node.ids.length > 0 && endsWord(folded, end)) longest = { ids: node.ids, end };
    node = end < folded.length ? node.next?.get(folded.charCodeAt(end)) : undefined;
  }
  return longest;
}

// Finds which requirements a test file cites, from its text alone: ids in square brackets inside the title of an
// it, test or describe (also of their .each), and the field `req: 'ID'` or `req: ['ID', …]` of a table of cases.
// Anywhere else, in a comment or in other strings, an id is only talk.
import { mask } from '../architecture/mask.ts';

export interface Citation {
  id: string;
  /** `path:line`. */
  at: string;
}

/** What an id starts with; a bracket with anything else in front is part of the prose. */
const ID = /^(?:C2A-\d|TC\/|OBL\/)/;
const HEAD = /(?<![.\w$])(?:it|test|describe)\b/g;
const FIELD = /(?<![.\w$])req\s*:\s*(\[[^\]]*\]|(['"`]) *\2)/g;
const LITERAL = /(['"`])((?:\\.|(?!\1)[^\\])*)\1/g;
const BRACKET = /\[([^[\]]+)\]/g;

export function citationsIn(path: string, text: string): Citation[] {
  const { code, uncommented } = mask(text);
  const found: Citation[] = [];
  const cite = (id: string, index: number): void => {
    if (ID.test(id)) found.push({ id, at: `${path}:${text.slice(0, index).split('\n').length}` });
  };

  for (const { index } of code.matchAll(HEAD)) {
    const title = titleAfter(code, uncommented, index);
    for (const bracket of (title?.text ?? '').matchAll(BRACKET)) {
      for (const id of (bracket[1] ?? '').split(',')) cite(id.trim(), title?.index ?? index);
    }
  }
  for (const field of code.matchAll(FIELD)) {
    const value = uncommented.slice(field.index, field.index + field[0].length);
    for (const literal of value.matchAll(LITERAL)) cite(literal[2] ?? '', field.index);
  }
  return found;
}

/** From `it`, over `.each(table)` and the like, to the first call whose first argument is a string. */
function titleAfter(
  code: string,
  uncommented: string,
  head: number,
): { text: string; index: number } | undefined {
  let at = head;
  for (;;) {
    const step = /^(?:\s*\.?\s*\w+|\s*<[^()'"`]*>)*\s*/.exec(code.slice(at))?.[0].length ?? 0;
    at += step;
    const char = code[at];
    if (char === '`') at = closing(code, at);
    else if (char === '(') {
      const first = at + 1 + (/^\s*/.exec(code.slice(at + 1))?.[0].length ?? 0);
      if (/['"`]/.test(code[first] ?? '')) {
        return { text: uncommented.slice(first + 1, closing(code, first) - 1), index: first };
      }
      at = closing(code, at);
    } else return undefined;
  }
}

/** The index after the quote or bracket that closes the one at `open`; the masked code has no stray ones. */
function closing(code: string, open: number): number {
  const quote = code[open] ?? '';
  if (/['"]/.test(quote)) return code.indexOf(quote, open + 1) + 1;
  let depth = 0;
  for (let at = open; at < code.length; at++) {
    const char = code[at] ?? '';
    if (quote === '`' && char === '`' && at > open && depth === 0) return at + 1;
    if ('([{'.includes(char)) depth++;
    if (')]}'.includes(char)) depth--;
    if (quote !== '`' && depth === 0) return at + 1;
  }
  return code.length;
}

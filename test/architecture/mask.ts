// TypeScript source with comments and string contents blanked out, so that a word in a comment or in a planted
// sample is never taken for code. Same length and lines as the source: an index found here is valid there.
// A scanner of one pass, not a parser; regular expressions are told from division by what stands before them.

export interface Masked {
  /** Comments and what stands between quotes are spaces; the quotes stay. */
  code: string;
  /** Comments alone are spaces. */
  uncommented: string;
}

const BLANK = /[^\n]/g;
const STRING = /'(?:\\[\s\S]|[^'\\\n])*'?|"(?:\\[\s\S]|[^"\\\n])*"?/y;
const COMMENT = /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/y;
const REGEX = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\//y;
const TEMPLATE = /(?:\\[\s\S]|\$(?!\{)|[^\\`$])*/y;
const BEFORE_REGEX =
  /(?:^|[(,=:[!&|?{};+\-*%<>~^]|\b(?:return|typeof|case|in|of|void|delete|throw|await|yield))\s*$/;

const masked = new Map<string, Masked>();

/** Remembered by text: several checks look at each file, and one follows imports through the tree. */
export function mask(source: string): Masked {
  const known = masked.get(source);
  if (known !== undefined) return known;
  const result = scan(source);
  masked.set(source, result);
  return result;
}

function scan(source: string): Masked {
  const text = source.replace(/^#!.*/, (line) => line.replace(BLANK, ' '));
  const code: string[] = [];
  const uncommented: string[] = [];
  /** Braces open inside each template substitution we are in. */
  const templates: number[] = [];
  let at = 0;

  const take = (length: number, asCode: (part: string) => string, asText = asCode): void => {
    const part = text.slice(at, at + length);
    code.push(asCode(part));
    uncommented.push(asText(part));
    at += length;
  };
  const match = (pattern: RegExp): number => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0].length ?? 0;
  };
  const templateBody = (): void => {
    take(match(TEMPLATE), blank, same);
    if (text[at] === '`') take(1, same);
    else if (at < text.length) {
      take(2, same);
      templates.push(0);
    }
  };

  while (at < text.length) {
    const char = text[at];
    const depth = templates.at(-1);
    if (char === '/' && match(COMMENT) > 0) take(match(COMMENT), blank);
    else if (char === "'" || char === '"') take(match(STRING), blankInside, same);
    else if (char === '`') {
      take(1, same);
      templateBody();
    } else if (char === '}' && depth === 0) {
      templates.pop();
      take(1, same);
      templateBody();
    } else if (char === '/' && match(REGEX) > 0 && BEFORE_REGEX.test(tail(code))) {
      take(match(REGEX), blankInside, same);
    } else {
      if (depth !== undefined && (char === '{' || char === '}')) {
        templates[templates.length - 1] = depth + (char === '{' ? 1 : -1);
      }
      take(1, same);
    }
  }
  return { code: code.join(''), uncommented: uncommented.join('') };
}

const same = (part: string): string => part;
const blank = (part: string): string => part.replace(BLANK, ' ');

function blankInside(part: string): string {
  return part.length < 2 ? part : `${part[0]}${blank(part.slice(1, -1))}${part.at(-1)}`;
}

/** The last non-blank bit of code, enough to see what a slash follows. */
function tail(parts: readonly string[]): string {
  let seen = '';
  for (let i = parts.length - 1; i >= 0 && seen.trim().length < 10; i--) seen = `${parts[i]}${seen}`;
  return seen;
}

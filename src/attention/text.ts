// Folds text, once per event: whatever matches names or intents works on the folded form. Folding means NFKC, lower
// case and no combining accents, so "José" equals "jose" and full-width letters equal ASCII.

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
  if (code < 128) {
    return (
      (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code === 95
    );
  }
  return WORD.test(char);
}

/** FNV-1a, 32 bits: for comparing texts inside one conversation, never for security. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  }
  return hash >>> 0;
}

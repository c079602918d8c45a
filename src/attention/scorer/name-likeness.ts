// How like a name a word is: the beginning of one ("jan" for "janet"), or one letter off ("jnet", "jamet").

const MIN_CHARS = 3;

/** 3 the same, 2 the beginning or one letter off, 1 begins as it does, 0 nothing. */
export function likeness(word: string, name: string): 0 | 1 | 2 | 3 {
  if (word.length < MIN_CHARS) return 0;
  if (word === name) return 3;
  if (name.startsWith(word)) return 2;
  if (word.length > MIN_CHARS && isOneOff(word, name)) return 2;
  return word.length > MIN_CHARS && name.startsWith(word.slice(0, MIN_CHARS + 1)) ? 1 : 0;
}

/** One letter more, less or other, or two neighbours changed places. */
function isOneOff(word: string, name: string): boolean {
  if (Math.abs(word.length - name.length) > 1) return false;
  let at = 0;
  while (at < word.length && word[at] === name[at]) at++;
  if (word.length < name.length) return word.slice(at) === name.slice(at + 1);
  if (word.length > name.length) return word.slice(at + 1) === name.slice(at);
  const swapped = word[at] === name[at + 1] && word[at + 1] === name[at];
  return word.slice(at + 1) === name.slice(at + 1) || (swapped && word.slice(at + 2) === name.slice(at + 2));
}

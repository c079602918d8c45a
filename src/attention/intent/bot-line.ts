// Recognises lines that only programs write: a tag or label in front and a link at the end, as CI, trackers and feeds
// post them. It looks at the form alone, in any language, before the title can be read as a question or a request.
// Invariant: it needs both marks. A person who pastes a link with a sentence has at most one.

const MAX_TAG_CHARS = 40;
const MAX_DECORATION_CHARS = 4;

export function isBotLine(folded: string): boolean {
  if (!folded.includes('://')) return false;
  const line = folded.trim();
  if (line.includes('\n')) return false;
  return endsWithReference(line) && (startsWithTag(line) || line.includes('] (') || startsWithLabel(line));
}

/** "… - https://host/42", "… - https://host/42 (somebody)". */
function endsWithReference(line: string): boolean {
  const link = line.lastIndexOf('://');
  const dash = line.lastIndexOf(' - ', link);
  // The scheme is one word right after the dash. IRC colour codes may be attached to it.
  return dash >= 0 && link - dash <= ' - '.length + MAX_DECORATION_CHARS + 'https'.length;
}

/** "[build] …", "(fixed) …", after at most a few signs or digits. */
export function startsWithTag(line: string): boolean {
  for (let i = 0; i <= MAX_DECORATION_CHARS && i < line.length; i++) {
    const char = line.charAt(i);
    if (char === '[' || char === '(') {
      const close = line.indexOf(char === '[' ? ']' : ')', i);
      return close > i + 1 && close - i <= MAX_TAG_CHARS;
    }
    if (char === ' ') return false;
  }
  return false;
}

/** "change merged: …": a colon within the first few words. */
function startsWithLabel(line: string): boolean {
  const colon = line.indexOf(': ');
  return colon > 0 && colon <= MAX_TAG_CHARS;
}

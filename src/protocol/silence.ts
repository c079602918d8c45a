// The word for silence. An agent with tools stays silent by calling none. A program that can only print prints this
// word instead, and models write it in many ways. It never reaches chat: runners and the SDK swallow it, and the host
// refuses a send that says nothing else. A message that talks about the word passes. No imports, because the agent SDK
// uses it too.

/** An answer of exactly this word means silence. */
export const NO_REPLY = 'NO_REPLY';

const WORD = String.raw`[nN][oO]\\?_[rR][eE][pP][lL][yY]`;
/** The beginning of the word, where an answer was cut. `NO` may be an answer, so it takes a letter more. */
const HALF = String.raw`[nN][oO]\\?_[rR](?:[eE](?:[pP][lL]?)?)?`;
const MARKS = String.raw`[^\p{L}\p{N}]*`;

/** The word alone on its line, in any case and in any marks: `[NO_REPLY]`, `**no_reply**.`, `"NO\_REPLY"`. */
const ALONE = new RegExp(`^${MARKS}(?:${WORD}|${HALF})${MARKS}$`, 'u');
/** The word as a sentence of its own, then the reason: `NO_REPLY. This is for Bob.`, `[NO_REPLY] Not for me`. */
const WITH_REASON = new RegExp(
  String.raw`^[\s*_]*(?:${WORD}[\s*_]*(?:[.!。！]|\s[-–—(])|[[({<]${WORD}[\])}>][\s*_]*[-–—(.!。！\p{Lu}])`,
  'u',
);
/** The word as the last sentence. */
const LAST = new RegExp(
  String.raw`(?<=[.!…。！][)"'”’*_]{0,4})\s{1,8}[*_[(<{"'${'`'}]{0,8}${WORD}[^\p{L}\p{N}]{0,16}$`,
  'u',
);
const FENCE = /^\s*(?:```|~~~)/;
const WITHOUT_WORDS = new RegExp(`^${MARKS}$`, 'u');
const HINT = /no\\?_r/i;

/** The part of a model's text that is meant for chat, or undefined for silence. */
export function spoken(text: string): string | undefined {
  return withoutSilence(text.trim());
}

/**
 * The text as it may be posted, or undefined when it says nothing. A line with only the word is left out. If the first
 * line is the word, the rest is the model talking to itself. A text without the word is not changed.
 */
export function withoutSilence(text: string): string | undefined {
  if (text.trim() === '') return undefined;
  if (!HINT.test(text)) return text;
  const lines = text.trim().split('\n');
  const [first = ''] = lines;
  if (ALONE.test(first) || WITH_REASON.test(first)) return undefined;
  if (lines.every((line) => ALONE.test(line) || FENCE.test(line) || WITHOUT_WORDS.test(line)))
    return undefined;
  const said = withoutSilentLines(lines).join('\n').trim().replace(LAST, '');
  return said === '' ? undefined : said;
}

/** Lines inside a code block are quoted, so they stay. */
function withoutSilentLines(lines: readonly string[]): string[] {
  let quoted = false;
  return lines.filter((line) => {
    if (FENCE.test(line)) quoted = !quoted;
    return quoted || !ALONE.test(line);
  });
}

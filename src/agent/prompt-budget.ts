// What fits into one prompt. Pure.

/** The size limits of one prompt. What does not fit is cut between code points, and the prompt says how much. */
export interface PromptBudget {
  messageChars: number;
  contextChars: number;
  contextLineChars: number;
}

/** What was left out of a text: how many code points of how many, and where, in UTF-16 code units. */
export interface TextGap {
  leftOut: number;
  points: number;
  from: number;
  to: number;
}

/** Keeps two thirds from the beginning and one from the end, because people put the question first or last. */
export function cutText(text: string, { messageChars }: PromptBudget): { text: string; gap?: TextGap } {
  if (text.length <= messageChars) return { text };
  const points = Array.from(text);
  if (points.length <= messageChars) return { text };
  const tailPoints = Math.floor(messageChars / 3);
  const head = points.slice(0, messageChars - tailPoints).join('');
  const tail = points.slice(points.length - tailPoints).join('');
  const leftOut = points.length - messageChars;
  return {
    text: `${head}\n[…]\n${tail}`,
    gap: { leftOut, points: points.length, from: head.length, to: text.length - tail.length },
  };
}

export interface PromptLine {
  by: string;
  text: string;
}

/** Keeps the newest lines that fit. Each line is cut on its own. */
export function cutEntries(
  entries: readonly PromptLine[],
  { contextChars, contextLineChars }: PromptBudget,
): { kept: PromptLine[]; leftOut: number } {
  const kept: PromptLine[] = [];
  let left = contextChars;
  for (const entry of entries.toReversed()) {
    const points = Array.from(entry.text);
    const text =
      points.length <= contextLineChars ? entry.text : `${points.slice(0, contextLineChars).join('')}…`;
    const size = Math.min(points.length, contextLineChars + 1);
    if (size > left) break;
    left -= size;
    kept.unshift({ ...entry, text });
  }
  return { kept, leftOut: entries.length - kept.length };
}

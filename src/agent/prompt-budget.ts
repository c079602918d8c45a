// What fits into one prompt. Pure.

/** The size limits of one prompt. What does not fit is cut between code points, and the prompt says how much. */
export interface PromptBudget {
  messageChars: number;
  contextChars: number;
  contextLineChars: number;
}

/** Keeps two thirds from the beginning and one from the end, because people put the question first or last. */
export function cutText(text: string, { messageChars }: PromptBudget): { text: string; cut: string } {
  if (text.length <= messageChars) return { text, cut: '' };
  const points = Array.from(text);
  if (points.length <= messageChars) return { text, cut: '' };
  const tail = Math.floor(messageChars / 3);
  const head = messageChars - tail;
  return {
    text: `${points.slice(0, head).join('')}\n[…]\n${points.slice(points.length - tail).join('')}`,
    cut: `${points.length - messageChars} of ${points.length} characters in the middle left out ("[…]").`,
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

// The message of a turn, cut to its budget. A cut says how much is missing, and with which calls the model reads it: the
// message may be made of several events, and each of them is read on its own. Pure.
import { headerWord } from '../protocol/identity.ts';
import { cutText, type PromptBudget } from './prompt-budget.ts';

/** One piece of what was said, in the order it was said. */
export interface SaidPiece {
  eventId: string;
  text: string;
}

/** Calls that one cut names. Further ones look the same. */
const READS_MAX = 8;
const ID_CHARS = 320;

/** `readTool`: the tool that reads a text, if the model has it. `cut` is empty when everything is shown. */
export function cutMessage(
  said: readonly SaidPiece[],
  budget: PromptBudget,
  readTool: string | undefined,
): { text: string; cut: string } {
  const pieces = said.filter(({ text }) => text !== '');
  const { text, gap } = cutText(pieces.map((piece) => piece.text).join('\n'), budget);
  if (gap === undefined) return { text, cut: '' };
  const cut = `${gap.leftOut} of ${gap.points} characters in the middle left out ("[…]").`;
  const reads = missing(pieces, gap).map(
    ({ eventId, from }) => `inReplyTo ${headerWord(eventId, ID_CHARS)}, textFrom ${from}`,
  );
  const more = reads.length > READS_MAX ? '; and so on' : '';
  const how = `Read the rest with ${readTool}, ${reads.slice(0, READS_MAX).join('; ')}${more}.`;
  return { text, cut: readTool === undefined ? cut : `${cut} ${how}` };
}

/** The pieces that the gap touches, and from which character on. */
function missing(
  pieces: readonly SaidPiece[],
  { from, to }: { from: number; to: number },
): { eventId: string; from: number }[] {
  let begins = 0;
  return pieces.flatMap(({ eventId, text }) => {
    const [first, end] = [begins, begins + text.length];
    begins = end + '\n'.length;
    return end <= from || first >= to ? [] : [{ eventId, from: Math.max(0, from - first) }];
  });
}

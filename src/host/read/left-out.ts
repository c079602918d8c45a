// The words that stand in a text in place of what did not fit: how much it is, and the call that reads it. They reach
// every model, whatever harness shows it the text. The call is made of the id and a number, never of what was said.
import type { Agreement } from '../../protocol/initialize.ts';
import type { Gap } from '../../protocol/fit.ts';

/** `eventId`: the event whose text it is. Without one, or for a caller without that tool, only the size is said. */
export function leftOut({ capabilities }: Agreement, eventId: string | undefined): (gap: Gap) => string {
  const canRead = eventId !== undefined && capabilities.chatTools.readThread;
  return ({ from, to, chars }) => {
    const read = canRead ? `. To read on: ${call({ inReplyTo: eventId, textFrom: from })}` : '';
    return `\n[… ${to - from} of ${chars} characters left out here${read} …]\n`;
  };
}

/** Says that a list of attachments is not complete. `more`: further arguments of the call that lists the rest. */
export function attachmentsLeftOut(
  { capabilities }: Agreement,
  eventId: string,
  count: number,
  more: { textFrom?: number },
): string {
  const read = capabilities.chatTools.readThread
    ? `. To list them: ${call({ inReplyTo: eventId, ...more })}`
    : '';
  return `[… ${count} attachments not listed here${read} …]`;
}

function call(args: Readonly<Record<string, string | number>>): string {
  return `chat.read_thread ${JSON.stringify(args)}`;
}

// What a model reads of a tool's answer. A source chooses its ids and names freely, and in an answer they stand beside the
// protocol's own words. So an id that is no short word is shown by its beginning and a mark of the whole, and a name is
// one short line, as in the headers of a prompt. Texts stay whole: they are what somebody said. Pure.
import { displayName, headerWord, ID_SHOWN_CHARS } from './identity.ts';
import { walk } from './payload-strings.ts';

/** Fields that hold the id of something of a source, or a place or identity made of one. */
export const ID_FIELDS: ReadonlySet<string> = new Set([
  'id',
  'eventId',
  'eventIds',
  'sourceId',
  'targetEventId',
  'inReplyTo',
  'replacedBy',
  'attachmentId',
  'reactionId',
  'obligationId',
  'items',
  'resolved',
  'target',
  'conversation',
  'threadId',
  'parentId',
  'streamId',
  'workspaceId',
  'author',
  'recipient',
  'mentions',
  'to',
  'from',
  'where',
  'by',
  'claimedBy',
  'people',
  'agents',
]);
const NAME_FIELDS: ReadonlySet<string> = new Set(['displayName', 'name', 'title']);

/** `note` is told what each short word stands for. The same object when nothing is changed. */
export function inShortWords<T>(value: T, note: (word: string, id: string) => void = ignore): T {
  return walk(value, '', (text, key) => {
    if (NAME_FIELDS.has(key)) return displayName(text);
    if (!ID_FIELDS.has(key)) return text;
    const word = headerWord(text, ID_SHOWN_CHARS);
    if (word !== text) note(word, text);
    return word;
  }) as T;
}

function ignore(): void {}

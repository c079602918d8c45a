// Messages as the page shows them, out of the log: edits applied, deletions emptied, reactions gathered, secrets cut
// out, with what agents do about them. A page is read backwards from the newest row or from a message.
import { isNoticeId } from '../../protocol/derived-id.ts';
import { printableLine } from '../../protocol/identity.ts';
import { SIGNALS } from '../../protocol/vocabulary.ts';
import { WEB_CHAT_LIMITS, type WebMessage, type WebReaction } from '../../protocol/web-chat.ts';
import type { StoreReader } from '../kernel/context.ts';
import type { LogRow } from '../../store/tables.ts';
import { textOf } from '../kernel/log-row.ts';
import { iso } from '../../protocol/log-record.ts';
import { type Amended, type Amendments, UNAMENDED, createAmendments } from './amendments.ts';
import type { Names } from './names.ts';
import { filesIn } from './files.ts';
import { keyOfId } from './places.ts';
import { ownWhy } from './own-why.ts';
import { questionOn } from './questions.ts';
import { statesOf } from './states.ts';

export interface MessagesDeps {
  store: StoreReader;
  clean: (text: string) => string;
  names: () => Promise<Names>;
  /** True when somebody has written there. */
  exists: (key: string) => boolean;
  isConnected: (agent: string) => boolean;
}

export interface Messages {
  /** The message as it was logged, without later changes, for this person. */
  logged(row: LogRow, person: string): Promise<WebMessage>;
  /** The message as it is now, for this person. */
  current(row: LogRow, person: string): Promise<WebMessage>;
  /** What agents do with the message of this row now, the sentence for its author, and what it asks people. */
  progress(row: LogRow): Promise<Progress>;
  page(
    conversation: string,
    person: string,
    beforeSeq: number | undefined,
    limit: number,
  ): Promise<{ messages: WebMessage[]; more: boolean }>;
  amendments(conversation: string): Promise<Amendments>;
}

/** What changes under a message without a row of the log. */
export type Progress = Pick<WebMessage, 'states' | 'why' | 'question'>;

/** Log rows in one read. Not every row is a message. */
const ROWS = 200;
const EXCERPT_CHARS = 120;

export function createMessages(deps: MessagesDeps): Messages {
  const { store } = deps;
  const amendments = createAmendments(store);
  const current = async (row: LogRow, person: string): Promise<WebMessage> =>
    webMessage(deps, amendments, row, person, (await amendments(row.conversation)).of(row.key));
  return {
    amendments,
    current,
    logged: (row, person) => webMessage(deps, amendments, row, person, UNAMENDED),
    async progress(row) {
      const { editIds } = (await amendments(row.conversation)).of(row.key);
      return progressOf(deps, row, editIds);
    },
    async page(conversation, person, beforeSeq, limit) {
      const found: LogRow[] = [];
      let before = beforeSeq;
      for (let more = true; more && found.length <= limit; ) {
        const rows = await store.scan('log', 'byConversation', {
          eq: [conversation],
          limit: ROWS,
          descending: true,
          ...(before === undefined ? {} : { before }),
        });
        found.push(...rows.filter(({ type }) => type === 'message'));
        before = rows.at(-1)?.seq;
        more = rows.length === ROWS;
      }
      const messages: WebMessage[] = [];
      let bytes = 0;
      for (const row of found.slice(0, limit)) {
        const message = await current(row, person);
        bytes += Buffer.byteLength(JSON.stringify(message));
        if (bytes > WEB_CHAT_LIMITS.pageBytes && messages.length > 0) break;
        messages.push(message);
      }
      return { messages: messages.toReversed(), more: found.length > messages.length };
    },
  };
}

async function webMessage(
  deps: MessagesDeps,
  amendments: (conversation: string) => Promise<Amendments>,
  row: LogRow,
  person: string,
  amended: Amended,
): Promise<WebMessage> {
  const { clean } = deps;
  const { event } = row.record;
  const names = await deps.names();
  const { edit, deleted, editIds } = amended;
  const mentions = edit?.mentions ?? ('mentions' in event ? (event.mentions ?? []) : []);
  const replyTo = event.type === 'message' ? event.replyTo?.eventId : undefined;
  const thread = await threadOn(deps, amendments, row);
  const { states, why, question } = deleted ? { states: [] } : await progressOf(deps, row, editIds);
  return {
    eventId: row.key,
    conversation: event.conversation.id,
    author: names.author(event.author),
    ...(isNoticeId(row.key) ? { notice: true } : {}),
    text: deleted ? '' : clean(edit?.text ?? textOf(row)),
    at: iso(row.at),
    ...(edit === undefined ? {} : { editedAt: iso(edit.at) }),
    ...(deleted ? { deleted } : {}),
    ...(replyTo === undefined ? {} : { replyTo: await repliedTo(deps, amendments, row, replyTo) }),
    ...(deleted ? {} : filesIn(row)),
    mentions: deleted ? [] : mentions.map((mention) => names.mention(mention)),
    reactions: reactionsOf(amended, names),
    ...(thread === undefined ? {} : { thread }),
    states,
    ...(why === undefined || !isAuthor(row, person) ? {} : { why }),
    ...(question === undefined ? {} : { question }),
  };
}

async function progressOf(deps: MessagesDeps, row: LogRow, editIds: readonly string[]): Promise<Progress> {
  const states = await statesOf(deps.store, [row.key, ...editIds]);
  const why = isByPerson(row) ? await ownWhy(deps, row, states) : undefined;
  const question = await questionOn(deps.store, row);
  return { states, ...(why === undefined ? {} : { why }), ...(question === undefined ? {} : { question }) };
}

function isByPerson({ record: { event } }: LogRow): boolean {
  return event.author.kind === 'human';
}

/** What waits for an answer concerns nobody but its author. */
export function isAuthor(row: LogRow, person: string): boolean {
  return isByPerson(row) && row.record.event.author.id === person;
}

function reactionsOf({ reactions }: Amended, names: Names): WebReaction[] {
  return SIGNALS.flatMap((signal) => {
    const by = reactions.get(signal) ?? [];
    const [first] = by;
    if (first === undefined) return [];
    return [{ signal, glyph: names.glyph(first, signal), by: by.map((author) => names.author(author)) }];
  });
}

async function repliedTo(
  { store, clean, names }: MessagesDeps,
  amendments: (conversation: string) => Promise<Amendments>,
  { conversation }: LogRow,
  eventId: string,
): Promise<NonNullable<WebMessage['replyTo']>> {
  const row = await store.get('log', eventId);
  // Readers here may not be allowed to see a message of another conversation.
  if (row === undefined || row.conversation !== conversation) return { eventId };
  const author = (await names()).author(row.record.event.author);
  const { edit, deleted } = (await amendments(conversation)).of(eventId);
  const excerpt = deleted ? '' : printableLine(clean(edit?.text ?? textOf(row)), EXCERPT_CHARS);
  return excerpt === '' ? { eventId, author } : { eventId, author, excerpt };
}

async function threadOn(
  { exists }: MessagesDeps,
  amendments: (conversation: string) => Promise<Amendments>,
  { key, record }: LogRow,
): Promise<WebMessage['thread']> {
  const thread = keyOfId(key);
  if (record.event.conversation.kind !== 'channel' || !exists(thread)) return undefined;
  const { messages, lastAt } = await amendments(thread);
  return messages === 0 ? undefined : { conversation: key, replies: messages, lastAt: iso(lastAt) };
}

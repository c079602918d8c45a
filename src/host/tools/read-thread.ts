// chat.read_thread: a window of a conversation around an event, the latest of a place, or one text from a character on.
// The window ends by bytes too. The event that it is about is always in it.
import { charStart, jsonBytes, pageEnd } from '../../protocol/fit.ts';
import { wireError } from '../../protocol/errors.ts';
import type { ListedEvent } from '../../protocol/tool-fields.ts';
import type { ToolInput } from '../../protocol/tools.ts';
import type { LogRow } from '../../store/tables.ts';
import { readConversation, resolveTarget } from '../kernel/conversation.ts';
import { textOf } from '../kernel/log-row.ts';
import { mayReadEvent, mayReadRoom } from '../read/may-read.ts';
import { answerPage, PAGE_BYTES } from './answer-page.ts';
import { aboutEvent, AROUND_TEXT, attachmentsOf, listedEvent, withContent } from './listed-event.ts';
import { badCursor, LOOKED_AT, PAGE, readableOrOwed, rowsBefore, SHOWN } from './read.ts';
import type { ToolAnswer, ToolContext } from './tool-context.ts';

type Answer = ToolAnswer<'chat.read_thread'>;

export async function readThread(input: ToolInput<'chat.read_thread'>, tools: ToolContext): Promise<Answer> {
  const { context, agent, places } = tools;
  const around = input.inReplyTo === undefined ? undefined : await readableOrOwed(tools, input.inReplyTo);
  if (input.inReplyTo !== undefined && around === undefined) {
    return { ok: false, error: wireError('not_found', { what: 'event' }) };
  }
  if (input.textFrom !== undefined) return readText(tools, around, input.textFrom);
  const target =
    input.target === undefined ? undefined : await resolveTarget(places, input.target, agent, undefined);
  if (target?.type === 'unknown') return { ok: false, error: wireError('not_found', { what: target.what }) };
  const key = around?.conversation ?? target?.key ?? '';
  const mayReadAll = await mayReadRoom(context, agent, key);
  if (!mayReadAll && around === undefined)
    return { ok: false, error: wireError('not_found', { what: 'conversation' }) };
  const cursor = input.cursor === undefined ? undefined : Number(input.cursor);
  if (cursor !== undefined && !Number.isSafeInteger(cursor)) return badCursor();
  // The window includes some later events, because an answer may already be there.
  const before = cursor ?? (around === undefined ? undefined : around.seq + PAGE / 2 + 1);
  const limit = input.limit ?? PAGE;
  const seen: LogRow[] = [];
  let looked = 0;
  for await (const row of rowsBefore(tools, key, before)) {
    looked++;
    if (!SHOWN.has(row.type)) continue;
    // An agent that was handed one event of a room that it may not read sees only that event.
    if (row.key === around?.key || (mayReadAll && (await mayReadEvent(context, row, agent)))) seen.push(row);
    if (seen.length === limit) break;
  }
  const { events, oldest, cut } = await fittingWindow(tools, seen, around?.key);
  if (events.length > 0) await tools.texts.noteReading(agent, [key]);
  const here = mayReadAll ? await tools.participants(agent, key) : {};
  const result = { target: await placeNamed(tools, key), events, ...here };
  const isPart = cut || seen.length === limit || looked === LOOKED_AT;
  const more = oldest !== undefined && oldest > 1 && isPart;
  return { ok: true, result: more ? { ...result, nextCursor: String(oldest) } : result };
}

async function placeNamed(
  { context: { store } }: ToolContext,
  key: string,
): Promise<`${'channel' | 'dm' | 'thread' | 'system' | 'tool'}:${string}`> {
  const state = await readConversation(store, key);
  const { kind, id } = state?.place.conversation ?? { kind: 'channel' as const, id: key };
  return `${kind}:${id}`;
}

/**
 * As much of the rows (newest first) as fits, without a gap: the event that the window is about, what came right after
 * it, and what came before. `oldest`: where the next page goes on. `cut`: earlier rows did not fit.
 */
async function fittingWindow(
  tools: ToolContext,
  rows: readonly LogRow[],
  about: string | undefined,
): Promise<{ events: ListedEvent[]; oldest: number | undefined; cut: boolean }> {
  const from = Math.max(
    0,
    rows.findIndex(({ key }) => key === about),
  );
  const page = answerPage<ListedEvent>(rows.length);
  const [first, ...earlier] = rows.slice(from);
  if (first === undefined) return { events: [], oldest: undefined, cut: false };
  const own = await listedEvent(tools, first);
  page.take(own);
  // Later events get at most half of what is left, so that what led to this one is in the window as well.
  const later = answerPage<ListedEvent>(rows.length, (PAGE_BYTES - jsonBytes(own)) / 2);
  for (const row of rows.slice(0, from).toReversed()) {
    const listed = await listedEvent(tools, row);
    if (!later.take(listed) || !page.take(listed)) break;
  }
  const newer = page.items.splice(1);
  let oldest = first.seq;
  for (const row of earlier) {
    if (!page.take(await listedEvent(tools, row)))
      return { events: inOrder(page.items, newer), oldest, cut: true };
    oldest = row.seq;
  }
  return { events: inOrder(page.items, newer), oldest, cut: false };
}

function inOrder(newestFirst: readonly ListedEvent[], newer: readonly ListedEvent[]): ListedEvent[] {
  return [...newestFirst.toReversed(), ...newer];
}

/** One page of the text of an event. Everything that is attached to the event is listed with it. */
async function readText(tools: ToolContext, row: LogRow | undefined, textFrom: number): Promise<Answer> {
  if (row === undefined)
    return {
      ok: false,
      error: wireError('invalid_params', {
        problem: 'textFrom: name the event with inReplyTo',
        path: 'textFrom',
      }),
    };
  const text = textOf(row);
  const attachments = attachmentsOf(row.record.event);
  const about = await aboutEvent(tools, row);
  const from = charStart(text, Math.min(textFrom, text.length));
  const end = pageEnd(text, from, PAGE_BYTES - AROUND_TEXT - jsonBytes(withContent(about, '', attachments)));
  await tools.texts.noteReading(tools.agent, [row.conversation]);
  const shown = withContent(about, text.slice(from, end), attachments);
  const result = { target: shown.target, events: [shown] };
  return { ok: true, result: end < text.length ? { ...result, nextTextFrom: end } : result };
}

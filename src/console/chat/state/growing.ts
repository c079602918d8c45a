// Answers that agents are writing, as far as this tab has seen them. A tab that opens a room in the middle may be told how
// an answer goes on before it has its beginning; the page of the room brings that. An answer ends when its message comes,
// which has the same event id, or when it is withdrawn.
import type { WebChatNews, WebGrowing, WebMessage } from '../../../protocol/web-chat.ts';
import type { RoomState } from './room.ts';

export interface GrowingAnswer extends WebGrowing {
  /** How much of its beginning is not known yet. It is shown once that is nothing. */
  start: number;
}

export interface GrowingState {
  answers: ReadonlyMap<string, GrowingAnswer>;
  /** Ids that were withdrawn lately. A page that was on its way may still name them. */
  ended: readonly string[];
}

export const NOTHING_GROWS: GrowingState = { answers: new Map(), ended: [] };

/** How many ended ones are remembered. */
const ENDED_KEPT = 50;

export function grown(state: GrowingState, { from, ...news }: WebChatNews<'growing'>): GrowingState {
  const { eventId, text } = news;
  if (state.ended.includes(eventId)) return state;
  const known = state.answers.get(eventId);
  const end = known === undefined ? 0 : known.start + known.text.length;
  // Whatever does not join what is known is its newest stretch.
  const joins = known !== undefined && from >= known.start && from <= end;
  const answer = joins
    ? { ...news, start: known.start, text: known.text.slice(0, from - known.start) + text }
    : { ...news, start: from };
  return { ...state, answers: new Map([...state.answers, [eventId, answer]]) };
}

/** Adds what a page says about the answers of its room. */
export function withGrowing(state: GrowingState, page: readonly WebGrowing[]): GrowingState {
  return page.reduce((next, told) => {
    if (next.ended.includes(told.eventId)) return next;
    const known = next.answers.get(told.eventId);
    // News that came since the page was read goes on where the page ends, or before.
    const isNewer = known !== undefined && known.start + known.text.length >= told.text.length;
    const joins = isNewer && known.start <= told.text.length;
    const text = joins ? told.text.slice(0, known.start) + known.text : told.text;
    return { ...next, answers: new Map([...next.answers, [told.eventId, { ...told, start: 0, text }]]) };
  }, state);
}

/** Its message has come, or none will. */
export function withoutAnswer(state: GrowingState, eventId: string): GrowingState {
  const answers = new Map(state.answers);
  answers.delete(eventId);
  return { answers, ended: [...state.ended, eventId].slice(-ENDED_KEPT) };
}

/** The answers that grow in a room, as messages, oldest first. */
export function growingIn(
  { answers }: GrowingState,
  conversation: string,
  { held }: Pick<RoomState, 'held'>,
): WebMessage[] {
  return [...answers.values()].flatMap(({ start, text, ...answer }) => {
    const isHere = answer.conversation === conversation && start === 0 && text !== '';
    if (!isHere || held.some(({ message }) => message.eventId === answer.eventId)) return [];
    return [{ ...answer, text, mentions: [], reactions: [], states: [] }];
  });
}

/** Whether the row with this key is an answer that grows, or one that has just ended. */
export function hasGrown({ answers, ended }: GrowingState, key: string | number | bigint): boolean {
  return typeof key === 'string' && (answers.has(key) || ended.includes(key));
}

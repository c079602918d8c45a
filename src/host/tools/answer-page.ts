// One page of a tool's answer. It ends by number or by bytes, whichever comes first, so every answer fits into a frame.
// Whatever does not fit is the first of the next page: the caller's cursor goes on after the last item taken.
import { FIT_LIMITS, jsonBytes } from '../../protocol/fit.ts';

/** What stands around the items: the place, the cursor, who is there. */
const AROUND_BYTES = FIT_LIMITS.participantsBytes + 8_192;

/** Bytes of the items of one page. One event always fits. */
export const PAGE_BYTES = FIT_LIMITS.answerBytes - AROUND_BYTES;

export interface AnswerPage<T> {
  readonly items: T[];
  /** False: it does not fit any more, and the page is full. */
  take(item: T): boolean;
  readonly full: boolean;
}

export function answerPage<T>(limit: number, bytes: number = PAGE_BYTES): AnswerPage<T> {
  const items: T[] = [];
  let left = bytes;
  let isOver = false;
  return {
    items,
    take(item) {
      const size = jsonBytes(item) + 1;
      isOver ||= size > left;
      if (isOver) return false;
      left -= size;
      return items.push(item) > 0;
    },
    get full() {
      return isOver || items.length >= limit;
    },
  };
}

// Answers that grow on other hosts of the store: each tells the others what was added, by hints, and they keep a copy for
// their tabs. A hint may be lost. Whoever misses the start of what was added asks for the whole text. Nothing else depends
// on it: the message at the end is in the log.
import { GROWING_LIMITS } from '../../protocol/growing-limits.ts';
import type { Cancel } from '../../runtime/clock.ts';
import type { HostContext } from '../kernel/context.ts';
import type { Growing, GrowingNews, Grown } from './growing.ts';

/** What hosts tell each other of a growing answer. */
export type GrowingHint =
  | { at: Omit<Grown, 'text'>; from: number; text: string }
  /** It is over: its message is there, or it was taken away. */
  | { over: string; shown: boolean }
  /** Whoever has it tells all of it again. */
  | { ask: string; conversation: string };

export interface SharedGrowing extends Growing {
  heard(hint: GrowingHint): void;
}

/** Of the text in one hint. With every character escaped it still fits a notification. */
const HINT_CHARS = 1_000;
/** Answers of other hosts that are kept. Beyond that the oldest is forgotten. */
const KEPT_MAX = 1_000;

interface Kept {
  grown: Grown;
  idle: Cancel;
}

export function shareGrowing(
  own: Growing,
  { store, clock }: Pick<HostContext, 'store' | 'clock'>,
): SharedGrowing {
  const { nodes } = store;
  const elsewhere = new Map<string, Kept>();
  const listeners = new Set<(news: GrowingNews) => void>();
  const hint = (growing: GrowingHint): void => nodes.hint({ growing });
  const tellText = ({ text: whole, ...at }: Grown, from: number): void => {
    for (let next = from; next < whole.length || next === from; next += HINT_CHARS)
      hint({ at, from: next, text: whole.slice(next, next + HINT_CHARS) });
  };
  own.listen((news) => {
    if (nodes.count() === 1) return;
    if (news.type === 'grown') tellText(news.grown, news.from);
    else hint({ over: news.grown.eventId, shown: news.type === 'shown' });
  });
  const tell = (news: GrowingNews): void => {
    for (const listener of listeners) listener(news);
  };
  const end = (eventId: string, isShown: boolean): void => {
    const kept = elsewhere.get(eventId);
    if (kept === undefined) return;
    kept.idle();
    elsewhere.delete(eventId);
    tell({ type: isShown ? 'shown' : 'withdrawn', grown: kept.grown });
  };
  const grow = ({ at, from, text }: Extract<GrowingHint, { at: object }>): void => {
    const { eventId, conversation } = at;
    const before = elsewhere.get(eventId);
    const known = before?.grown.text ?? '';
    if (from > known.length) return hint({ ask: eventId, conversation });
    before?.idle();
    const grown = { ...at, text: known.slice(0, from) + text };
    const idle = clock.after(GROWING_LIMITS.idleMs, () => end(eventId, false));
    elsewhere.set(eventId, { grown, idle });
    const [oldest] = elsewhere.size > KEPT_MAX ? elsewhere.keys() : [];
    if (oldest !== undefined) end(oldest, false);
    tell({ type: 'grown', grown, from, text });
  };
  return {
    shows: (conversation) => own.shows(conversation),
    grow: (agent, params) => own.grow(agent, params),
    take: (agent, input) => own.take(agent, input),
    turnEnded: (agent, turnId) => own.turnEnded(agent, turnId),
    at: (conversation) => [
      ...own.at(conversation),
      ...[...elsewhere.values()].flatMap(({ grown }) => (grown.conversation === conversation ? [grown] : [])),
    ],
    listen(listener) {
      const unlisten = own.listen(listener);
      listeners.add(listener);
      return () => {
        unlisten();
        listeners.delete(listener);
      };
    },
    heard(given) {
      if ('over' in given) end(given.over, given.shown);
      else if ('at' in given) grow(given);
      else {
        const asked = own.at(given.conversation).find(({ eventId }) => eventId === given.ask);
        if (asked !== undefined) tellText(asked, 0);
      }
    },
  };
}

// The list of thousands of rows, of which only those on the screen exist in the document. New rows never move what is
// being read. At its end, the list follows new rows.
import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { openWhy, useWhy } from '../why/use-why.ts';
import { dayOf } from '../ui/time.tsx';
import type { Run } from './folds.ts';
import type { LogWindow } from './log-window.ts';
import { TimelineRow } from './row.tsx';

const OVERSCAN = 8;
/** The height of a row of folded signs. timeline.css has the same value. */
const FOLD_PX = 26;
/** At this distance or less, the list counts as being at its end. */
const AT_END_PX = 40;

export function LogList({ log }: { log: LogWindow }): ReactNode {
  const { state } = log;
  const { kind } = state;
  const count = log.places;
  const scroller = useRef<HTMLDivElement>(null);
  const { height, chipsWidth } = useRowSize(scroller);
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: (place) => (log.shownAt(place).kind === 'fold' ? FOLD_PX : height),
    overscan: OVERSCAN,
  });
  const folds = log.foldsBefore(count);
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, height, folds, folds === 0 ? 0 : count]);

  const items = virtualizer.getVirtualItems();
  const [first, last] = [items.at(0)?.index ?? 0, items.at(-1)?.index ?? 0];
  useEffect(() => log.want(first, last), [log, first, last, state.version]);

  const { seenTo, atEnd, toEnd, onScroll } = useFollow(scroller, count, kind !== 'opening', log);
  useKeepPlace({ scroller, log, height, atEnd });

  const why = useWhy();
  const [current, setCurrent] = useState<number>();
  const move = useCallback(
    (event: KeyboardEvent) => {
      const next = nextIndex(event.key, current ?? last, count, Math.max(1, last - first - OVERSCAN));
      if (event.key === 'Enter' && event.target === event.currentTarget && current !== undefined) {
        const shown = log.shownAt(current);
        if (shown.kind === 'fold') return log.toggleFold(shown.run.start);
        const entry = log.rowOf(shown.index);
        if (entry !== undefined) openWhy(entry.eventId);
      }
      if (next === undefined || event.metaKey || event.ctrlKey) return;
      event.preventDefault();
      setCurrent(next);
      virtualizer.scrollToIndex(next);
    },
    [current, first, last, count, log, virtualizer],
  );

  const top = log.shownAt(items.find(({ end }) => end > (virtualizer.scrollOffset ?? 0))?.index ?? 0);
  const topEntry = log.rowOf(top.kind === 'row' ? top.index : top.run.start);
  return (
    <div className="log">
      {topEntry !== undefined && <p className="log-day">{dayOf(topEntry.at)}</p>}
      <div
        ref={scroller}
        className="log-scroll"
        role="grid"
        tabIndex={0}
        aria-label="Timeline"
        aria-rowcount={count}
        aria-activedescendant={current === undefined ? undefined : rowId(current)}
        onKeyDown={move}
        onScroll={onScroll}
        data-first={first}
      >
        <div className="log-all" role="presentation" style={{ height: virtualizer.getTotalSize() }}>
          {items.map(({ index, start, size }) => {
            const shown = log.shownAt(index);
            const entry = shown.kind === 'row' ? log.rowOf(shown.index) : undefined;
            const explained =
              entry !== undefined && entry.eventId === why.eventId ? (why.agent ?? '') : undefined;
            return (
              <div
                key={shown.kind === 'row' ? shown.index : `fold ${shown.run.start}`}
                id={rowId(index)}
                role="row"
                aria-rowindex={index + 1}
                className="entry"
                data-current={index === current ? '' : undefined}
                data-explained={explained === undefined ? undefined : ''}
                data-fold={shown.kind === 'fold' ? '' : undefined}
                data-failed={entry?.outcome === 'failed' ? '' : undefined}
                style={{ height: size, transform: `translateY(${start}px)` }}
                onClick={() => setCurrent(index)}
              >
                {shown.kind === 'fold' ? (
                  <FoldedSigns run={shown.run} toggle={() => log.toggleFold(shown.run.start)} />
                ) : entry === undefined ? (
                  <div className="entry-line entry-waiting" role="gridcell">
                    <span className="hidden">Reading row {index + 1}</span>
                  </div>
                ) : (
                  <TimelineRow
                    entry={entry}
                    day={newDay(log, shown.index)}
                    explained={explained}
                    chipsWidth={chipsWidth}
                  />
                )}
              </div>
            );
          })}
        </div>
      </div>
      {!atEnd && count > seenTo && (
        <button type="button" className="new-below" onClick={toEnd}>
          {count - seenTo} new below ↓
        </button>
      )}
    </div>
  );
}

/** A run of signs in one thin row. */
function FoldedSigns({ run: { length, open }, toggle }: { run: Run; toggle: () => void }): ReactNode {
  return (
    <div role="gridcell" className="folded">
      <button type="button" className="fold" tabIndex={-1} aria-expanded={open} onClick={toggle}>
        {open
          ? `hide ${length === 1 ? 'this step' : `these ${length} steps`}`
          : `${length} ${length === 1 ? 'step' : 'steps'} in between`}
      </button>
    </div>
  );
}

/** The day that begins with this row, if one does. */
function newDay(log: LogWindow, key: number): string | undefined {
  const [before, now] = [log.rowOf(key - 1), log.rowOf(key)];
  if (before === undefined || now === undefined) return undefined;
  return dayOf(before.at) === dayOf(now.at) ? undefined : dayOf(now.at);
}

function rowId(index: number): string {
  return `log-row-${index}`;
}

function nextIndex(key: string, current: number, count: number, page: number): number | undefined {
  const steps: Record<string, number> = {
    j: 1,
    ArrowDown: 1,
    k: -1,
    ArrowUp: -1,
    PageDown: page,
    PageUp: -page,
    Home: -count,
    End: count,
  };
  const step = steps[key];
  return step === undefined ? undefined : Math.min(count - 1, Math.max(0, current + step));
}

/** Starts at the newest row and stays there until somebody scrolls away. */
function useFollow(
  scroller: RefObject<HTMLDivElement | null>,
  count: number,
  opened: boolean,
  log: LogWindow,
): { seenTo: number; atEnd: boolean; toEnd: () => void; onScroll: () => void } {
  const [atEnd, setAtEnd] = useState(true);
  const [seenTo, setSeenTo] = useState(count);
  const toEnd = useCallback(() => {
    const element = scroller.current;
    if (element !== null) element.scrollTop = element.scrollHeight;
    setAtEnd(true);
  }, [scroller]);
  useLayoutEffect(() => {
    setAtEnd(true);
    setSeenTo(0);
  }, [log]);
  useLayoutEffect(() => {
    if (!atEnd || !opened) return;
    setSeenTo(count);
    toEnd();
  }, [atEnd, count, opened, toEnd]);
  const onScroll = useCallback(() => {
    const element = scroller.current;
    if (element === null) return;
    setAtEnd(element.scrollHeight - element.scrollTop - element.clientHeight < AT_END_PX);
  }, [scroller]);
  return { seenTo, atEnd, toEnd, onScroll };
}

interface KeepPlaceOptions {
  scroller: RefObject<HTMLDivElement | null>;
  log: LogWindow;
  height: number;
  atEnd: boolean;
}

/** Keeps the same rows on the screen when rows are added, or signs are folded, above them. */
function useKeepPlace({ scroller, log, height, atEnd }: KeepPlaceOptions): void {
  const before = useRef<{ log: LogWindow; key: number; px: number }>(undefined);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const pixelsOf = (key: number): number => {
      const { place, foldsAbove } = log.placeOf(key);
      return (place - foldsAbove) * height + foldsAbove * FOLD_PX;
    };
    const last = before.current;
    const moved = last === undefined || last.log !== log ? 0 : pixelsOf(last.key) - last.px;
    if (moved !== 0 && !atEnd) {
      element.scrollTop += moved;
      // Updated at once, because the next frame would be empty otherwise.
      element.dispatchEvent(new Event('scroll'));
    }
    const key = keyAt(log, element.scrollTop, height);
    before.current = { log, key, px: pixelsOf(key) };
  });
}

/** The row at this distance from the top of the list. */
function keyAt(log: LogWindow, px: number, height: number): number {
  // Folds are thinner than rows, so the place is at least this far down, and found by going on from there.
  let place = Math.min(Math.floor(px / height), Math.max(0, log.places - 1));
  const top = (at: number): number => at * height - log.foldsBefore(at) * (height - FOLD_PX);
  while (place < log.places - 1 && top(place + 1) <= px) {
    place += Math.max(1, Math.floor((px - top(place + 1)) / height));
  }
  const shown = log.shownAt(Math.min(place, Math.max(0, log.places - 1)));
  return shown.kind === 'row' ? shown.index : shown.run.start;
}

/** The height of a row and the width of its chips. A wide list has two lines per row, a narrow one three. */
interface RowSize {
  height: number;
  chipsWidth: number;
}

/** Below this width, author, text and chips have a line each. timeline.css has the same value. */
const NARROW_PX = 560;
const WIDE: RowSize = { height: 54, chipsWidth: 0 };
const NARROW: RowSize = { height: 78, chipsWidth: 0 };
/** The space left and right of the chips. */
const WIDE_SIDES_PX = 104;
const NARROW_SIDES_PX = 24;

function useRowSize(element: RefObject<HTMLElement | null>): RowSize {
  const [size, setSize] = useState<RowSize>({ ...WIDE, chipsWidth: 600 });
  useLayoutEffect(() => {
    const found = element.current;
    if (found === null) return undefined;
    const observer = new ResizeObserver(() => {
      const { clientWidth: width } = found;
      setSize(
        width < NARROW_PX
          ? { ...NARROW, chipsWidth: width - NARROW_SIDES_PX }
          : { ...WIDE, chipsWidth: width - WIDE_SIDES_PX },
      );
    });
    observer.observe(found);
    return () => observer.disconnect();
  }, [element]);
  return size;
}

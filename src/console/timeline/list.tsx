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
import type { LogWindow } from './log-window.ts';
import { TimelineRow } from './row.tsx';

const OVERSCAN = 8;
/** At this distance or less, the list counts as being at its end. */
const AT_END_PX = 40;

export function LogList({ log }: { log: LogWindow }): ReactNode {
  const { state } = log;
  const { count, inFront, kind } = state;
  const scroller = useRef<HTMLDivElement>(null);
  const { height, chipsWidth } = useRowSize(scroller);
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: OVERSCAN,
  });
  useEffect(() => virtualizer.measure(), [virtualizer, height]);

  const items = virtualizer.getVirtualItems();
  const [first, last] = [items.at(0)?.index ?? 0, items.at(-1)?.index ?? 0];
  useEffect(() => log.want(first, last), [log, first, last, state.version]);

  const { seenTo, atEnd, toEnd, onScroll } = useFollow(scroller, count, kind !== 'opening', log);
  useKeepPlace(scroller, inFront, height, log);

  const why = useWhy();
  const [current, setCurrent] = useState<number>();
  const move = useCallback(
    (event: KeyboardEvent) => {
      const next = nextIndex(event.key, current ?? last, count, Math.max(1, last - first - OVERSCAN));
      if (event.key === 'Enter' && event.target === event.currentTarget && current !== undefined) {
        const entry = log.rowAt(current);
        if (entry !== undefined) openWhy(entry.eventId);
      }
      if (next === undefined || event.metaKey || event.ctrlKey) return;
      event.preventDefault();
      setCurrent(next);
      virtualizer.scrollToIndex(next);
    },
    [current, first, last, count, log, virtualizer],
  );

  return (
    <div className="log">
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
          {items.map(({ index, start }) => {
            const entry = log.rowAt(index);
            const explained =
              entry !== undefined && entry.eventId === why.eventId ? (why.agent ?? '') : undefined;
            return (
              <div
                key={index - inFront}
                id={rowId(index)}
                role="row"
                aria-rowindex={index + 1}
                className="entry"
                data-current={index === current ? '' : undefined}
                data-explained={explained === undefined ? undefined : ''}
                style={{ height, transform: `translateY(${start}px)` }}
                onClick={() => setCurrent(index)}
              >
                {entry === undefined ? (
                  <div className="entry-line entry-waiting" role="gridcell">
                    <span className="hidden">Reading row {index + 1}</span>
                  </div>
                ) : (
                  <TimelineRow entry={entry} explained={explained} chipsWidth={chipsWidth} />
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

/** Keeps the same rows on the screen when rows are added in front. */
function useKeepPlace(
  scroller: RefObject<HTMLDivElement | null>,
  inFront: number,
  height: number,
  log: LogWindow,
): void {
  const before = useRef({ log, inFront });
  useLayoutEffect(() => {
    const added = before.current.log === log ? inFront - before.current.inFront : 0;
    before.current = { log, inFront };
    if (added === 0 || scroller.current === null) return;
    scroller.current.scrollTop += added * height;
    // Updated at once, because the next frame would be empty otherwise.
    scroller.current.dispatchEvent(new Event('scroll'));
  }, [scroller, inFront, height, log]);
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

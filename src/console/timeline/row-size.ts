// How tall a row is and how wide its line of chips, from the width there is: two lines on a wide list, three on a narrow.
import { type RefObject, useLayoutEffect, useState } from 'react';

export interface RowSize {
  height: number;
  chipsWidth: number;
}

/** Below this width author, text and chips have a line each; timeline.css says the same. */
const NARROW_PX = 560;
const WIDE: RowSize = { height: 54, chipsWidth: 0 };
const NARROW: RowSize = { height: 78, chipsWidth: 0 };
/** What stands left and right of the chips. */
const WIDE_SIDES_PX = 104;
const NARROW_SIDES_PX = 24;

export function useRowSize(element: RefObject<HTMLElement | null>): RowSize {
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

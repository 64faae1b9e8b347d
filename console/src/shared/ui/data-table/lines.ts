import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback } from 'react';
import type { RowDetails } from './details';

const ROW_HEIGHT = 32;
const DETAILS_HEIGHT = 160;
const OVERSCAN = 8;

const plainHeight = () => ROW_HEIGHT;

export type Lines = Virtualizer<HTMLDivElement, HTMLTableRowElement>;

/** The lines in sight. What calls this is drawn again with each step of a scroll, so it should draw nothing else. */
export function useLines<Row>(
  details: RowDetails<Row>,
  rows: readonly Row[],
  rowKey: (row: Row) => string,
  scroller: RefObject<HTMLDivElement | null>,
): Lines {
  const keyOfLine = useCallback(
    (item: number) => {
      const { index, isDetails } = details.place(item);
      const row = rows[index];
      return row === undefined ? item : `${rowKey(row)}${isDetails ? ' details' : ''}`;
    },
    [details, rows, rowKey],
  );
  const heightOfLine = useCallback(
    (item: number) => (details.place(item).isDetails ? DETAILS_HEIGHT : ROW_HEIGHT),
    [details],
  );
  const hasDetails = details.opened.size > 0;
  return useVirtualizer<HTMLDivElement, HTMLTableRowElement>({
    count: details.count,
    getScrollElement: () => scroller.current,
    // Asked of every line of a table that may hold a hundred thousand.
    estimateSize: hasDetails ? heightOfLine : plainHeight,
    // Lines are known by their rows only where rows are open: the keys of a hundred thousand take their time.
    ...(hasDetails ? { getItemKey: keyOfLine } : {}),
    overscan: OVERSCAN,
    initialRect: { width: 1000, height: 640 },
  });
}

import { type ReactNode, useCallback, useMemo, useState } from 'react';

/** Rows that can be opened, and what stands under those that are. */
export interface RowDetails<Row> {
  render: ((row: Row) => ReactNode) | undefined;
  /** Keys of the open rows. */
  opened: ReadonlySet<string>;
  toggle: (row: Row) => void;
  /** Open rows of this page count twice: once for the row, once for what stands under it. */
  count: number;
  /** Which row a line of the table belongs to, and whether the line is the row itself or its details. */
  place: (item: number) => { index: number; isDetails: boolean };
}

/** Which row stands in a line, when the rows at `open` (ascending) have a line more each. */
export function placeOf(item: number, open: readonly number[]): { index: number; isDetails: boolean } {
  let earlier = 0;
  for (const row of open) {
    const line = row + earlier + 1;
    if (line === item) return { index: row, isDetails: true };
    if (line > item) break;
    earlier += 1;
  }
  return { index: item - earlier, isDetails: false };
}

/** Keeps which rows are open; without `render` rows have no details. */
export function useRowDetails<Row>(
  rows: readonly Row[],
  rowKey: (row: Row) => string,
  render: ((row: Row) => ReactNode) | undefined,
): RowDetails<Row> {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const toggle = useCallback(
    (row: Row) =>
      setOpened((before) => {
        const next = new Set(before);
        if (!next.delete(rowKey(row))) next.add(rowKey(row));
        return next;
      }),
    [rowKey],
  );
  return useMemo(() => {
    const open =
      opened.size === 0 ? [] : rows.flatMap((row, index) => (opened.has(rowKey(row)) ? [index] : []));
    return {
      render,
      opened,
      toggle,
      count: rows.length + open.length,
      place: (item) => placeOf(item, open),
    };
  }, [rows, rowKey, render, opened, toggle]);
}

import { useCallback, useEffect, useState } from 'react';
import { onLayoutsFetched, readLayout, saveLayout, type ViewerLayout } from './layout-store';
import type { Column } from './types';

/** A table's columns as this viewer left them, and the way to change that; `{}` goes back to the page's own. */
export function useViewerLayout(table: string): readonly [ViewerLayout, (layout: ViewerLayout) => void] {
  const [layout, setLayout] = useState(() => readLayout(table));
  useEffect(() => onLayoutsFetched(() => setLayout(readLayout(table))), [table]);
  const change = useCallback(
    (next: ViewerLayout) => {
      // What the list is narrowed to is no business of its columns.
      const { filters } = readLayout(table);
      saveLayout(table, filters ? { ...next, filters } : next);
      setLayout(next);
    },
    [table],
  );
  return [layout, change] as const;
}

/** Columns in the viewer's order; newer columns stay after their predecessor. */
function inOrder<Row>(columns: readonly Column<Row>[], order: readonly string[]): Column<Row>[] {
  const sorted = columns
    .filter(({ key }) => order.includes(key))
    .sort((one, other) => order.indexOf(one.key) - order.indexOf(other.key));
  for (const [index, column] of columns.entries()) {
    if (order.includes(column.key)) continue;
    const before = columns[index - 1]?.key;
    sorted.splice(sorted.findIndex(({ key }) => key === before) + 1, 0, column);
  }
  return sorted;
}

function withChoices<Row>(column: Column<Row>, { widths, fixed }: ViewerLayout): Column<Row> {
  const width = widths?.[column.key] ?? column.width;
  const side = fixed?.[column.key] ?? column.fixed;
  if (width === column.width && side === column.fixed) return column;
  return { ...column, width, fixed: side === 'none' ? undefined : side };
}

const rank = (column: Column<never>) => ({ left: 0, none: 1, right: 2 })[column.fixed ?? 'none'];

/** Every column, shown or not, from left to right as the viewer wants them; fixed ones stand at their edge. */
export function arrange<Row>(columns: readonly Column<Row>[], layout: ViewerLayout): Column<Row>[] {
  const ordered = layout.order ? inOrder(columns, layout.order) : columns;
  return ordered
    .map((column) => withChoices(column, layout))
    .sort((one, other) => rank(one as Column<never>) - rank(other as Column<never>));
}

export function isVisible(column: Column<never>, layout: ViewerLayout): boolean {
  return column.essential || (layout.visible?.[column.key] ?? !column.hidden);
}

/** The order after the column `key` was put where `before` stands; at the end where there is no such column. */
export function moved(keys: readonly string[], key: string, before: string | undefined): string[] {
  const others = keys.filter((other) => other !== key);
  const place = before === undefined ? -1 : others.indexOf(before);
  others.splice(place < 0 ? others.length : place, 0, key);
  return others;
}

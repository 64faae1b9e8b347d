import { useCallback, useState } from 'react';
import { local } from '@/shared/lib/storage';
import { storeKeys } from '@/shared/lib/store-keys';
import type { Column, Side } from './types';

/** What a viewer changed about a table; whatever is not named here is as the page has it. */
export interface ViewerLayout {
  /** Keys from left to right. */
  order?: string[];
  visible?: Record<string, boolean>;
  /** Pixels. */
  widths?: Record<string, number>;
  fixed?: Record<string, Side | 'none'>;
  /** What the list was narrowed to when the viewer last left it. */
  filters?: Record<string, string>;
}

/** By viewer, then by table. */
type Layouts = Record<string, Record<string, ViewerLayout>>;

function viewer(): string {
  return local.get<{ userId?: string }>(storeKeys.user)?.userId ?? '';
}

export function readLayout(table: string): ViewerLayout {
  return local.get<Layouts>(storeKeys.tableLayouts)?.[viewer()]?.[table] ?? {};
}

export function saveLayout(table: string, layout: ViewerLayout): void {
  const all = local.get<Layouts>(storeKeys.tableLayouts) ?? {};
  local.set(storeKeys.tableLayouts, { ...all, [viewer()]: { ...all[viewer()], [table]: layout } });
}

/** A table's columns as this viewer left them, and the way to change that; `{}` goes back to the page's own. */
export function useViewerLayout(table: string): readonly [ViewerLayout, (layout: ViewerLayout) => void] {
  const [layout, setLayout] = useState(() => readLayout(table));
  const change = useCallback(
    (next: ViewerLayout) => {
      // What the list is narrowed to is no business of its columns.
      saveLayout(table, { ...next, filters: readLayout(table).filters });
      setLayout(next);
    },
    [table],
  );
  return [layout, change] as const;
}

/** Columns in the viewer's order; those that are newer than that order stay beside the one they stood behind. */
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

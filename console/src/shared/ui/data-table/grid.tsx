import { type ReactNode, useCallback, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useElementSize } from '@/shared/hooks/use-element-size';
import { TableBody } from './body';
import { useRowDetails } from './details';
import { type ColumnChanges, TableHead } from './head';
import { fitColumns, LEAD_WIDTH, type PlacedColumn, placeColumns } from './layout';
import { TextHint } from './text-hint';
import type { Column, TableSelection, TableState } from './types';

interface GridProps<Row> {
  label: string;
  rows: readonly Row[];
  /** Those that the viewer wants to see, from left to right. */
  columns: readonly Column<Row>[];
  /** Columns that stay even where the window is too narrow for them. */
  keeps: (column: Column<Row>) => boolean;
  changes: ColumnChanges;
  state: TableState;
  rowKey: (row: Row) => string;
  selection: TableSelection<Row> | undefined;
  expand: ((row: Row) => ReactNode) | undefined;
  /** The rows are still those of the page before; the one that was asked for loads. */
  isFormer: boolean;
  /** Receives the keys of columns without room in the window, joined by blanks. */
  onLeaveOut: (keys: string) => void;
}

const anyRow = () => true;

function useSelection<Row>({ selection, rowKey, rows }: GridProps<Row>) {
  const select = useCallback(
    (chosen: readonly Row[], isSelected: boolean) => {
      if (!selection) return;
      const next = new Set(selection.single ? [] : selection.keys);
      for (const row of chosen) {
        if (isSelected) next.add(rowKey(row));
        else next.delete(rowKey(row));
      }
      selection.onChange(next);
    },
    [selection, rowKey],
  );
  // Looked through once per change, not once per scrolled row: a table may hold a hundred thousand.
  const [choosable, chosen] = useMemo(() => {
    if (!selection) return [[], 0];
    const able = rows.filter(selection.canSelect ?? anyRow);
    return [able, able.filter((row) => selection.keys.has(rowKey(row))).length];
  }, [rows, selection, rowKey]);
  const all = choosable.length;
  return { select, isAll: all > 0 && chosen === all, isSome: chosen > 0 && chosen < all, choosable };
}

/** Marks the edges that columns are hidden behind, so that a shadow says that there is more to see. */
function useHiddenEdges(scroller: React.RefObject<HTMLDivElement | null>, total: number, room: number): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a wider table or a narrower window hides other columns
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const mark = () => {
      const { scrollLeft, clientWidth, scrollWidth } = element;
      element.toggleAttribute('data-hides-left', scrollLeft > 0);
      element.toggleAttribute('data-hides-right', scrollLeft + clientWidth < scrollWidth - 1);
    };
    mark();
    // Before the scroll triggers a render: the measures are cached now, and would be computed again later.
    element.addEventListener('scroll', mark, { passive: true, capture: true });
    return () => element.removeEventListener('scroll', mark, { capture: true });
  }, [scroller, total, room]);
}

/** How many rows stand on the pages before the rows that are shown: not before those that are still loading. */
function useRowsBefore({ current, size }: TableState['request'], isFormer: boolean): number {
  const wanted = size > 0 ? (current - 1) * size : 0;
  const [shown, show] = useState(wanted);
  if (!isFormer && shown !== wanted) show(wanted);
  return isFormer ? shown : wanted;
}

/** The table itself: a head that stays, and the rows in sight. */
export function Grid<Row>(props: GridProps<Row>) {
  const { columns, keeps, label, state, rows, rowKey, selection, expand, changes, onLeaveOut } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const group = useId();
  const { width: room } = useElementSize(scroller);
  const lead = (selection ? LEAD_WIDTH : 0) + (expand ? LEAD_WIDTH : 0);
  const fitting = useMemo(() => fitColumns(columns, room - lead, keeps), [columns, room, lead, keeps]);
  const placed = useMemo(() => placeColumns(fitting, room, lead), [fitting, room, lead]);
  const leftOut = columns.filter((column) => !fitting.includes(column)).map(({ key }) => key);
  const leftOutKeys = leftOut.join(' ');
  useEffect(() => onLeaveOut(leftOutKeys), [onLeaveOut, leftOutKeys]);
  const details = useRowDetails(rows, rowKey, expand);
  const { select, isAll, isSome, choosable } = useSelection(props);
  const selectOne = useCallback((row: Row, isSelected: boolean) => select([row], isSelected), [select]);
  const total = placed.reduce((sum, { width }) => sum + width, lead);
  useHiddenEdges(scroller, total, room);
  const before = useRowsBefore(state.request, props.isFormer);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled area must be reachable by keyboard
    <div ref={scroller} className="table-scroller" tabIndex={0} style={scrollPadding(placed, lead)}>
      {/* Before the width is known it would all be drawn for nothing. */}
      {room > 0 && (
        <table aria-label={label} aria-rowcount={rows.length + 1} style={{ width: total }}>
          <colgroup>
            {expand && <col style={{ width: LEAD_WIDTH }} />}
            {selection && <col style={{ width: LEAD_WIDTH }} />}
            {placed.map(({ column, width }) => (
              <col key={column.key} style={{ width }} />
            ))}
          </colgroup>
          <TableHead
            columns={placed as readonly PlacedColumn<never>[]}
            state={state}
            changes={changes}
            selection={selection && (selection.single ? 'single' : 'many')}
            selectAll={{ checked: isAll, partial: isSome, onChange: (checked) => select(choosable, checked) }}
            canExpand={expand !== undefined}
          />
          <TableBody
            rows={rows}
            before={before}
            columns={placed}
            scroller={scroller}
            rowKey={rowKey}
            selection={selection}
            group={group}
            onSelect={selectOne}
            details={details}
          />
        </table>
      )}
      <TextHint area={scroller} />
    </div>
  );
}

/** What the focus moves to is scrolled out from behind the fixed columns. */
function scrollPadding<Row>(placed: readonly PlacedColumn<Row>[], lead: number) {
  const widthOf = (side: 'left' | 'right') =>
    placed.filter(({ column }) => column.fixed === side).reduce((sum, { width }) => sum + width, 0);
  return { scrollPaddingLeft: widthOf('left') + lead, scrollPaddingRight: widthOf('right') };
}

import { memo, type ReactNode, type RefObject } from 'react';
import { word } from '@/shared/i18n/word';
import { Cell } from './cell';
import type { RowDetails } from './details';
import { cellStyle } from './head';
import { LEAD_WIDTH, type PlacedColumn } from './layout';
import { useLines } from './lines';
import type { TableSelection } from './types';

interface RowProps<Row> {
  row: Row;
  index: number;
  before: number;
  columns: readonly PlacedColumn<Row>[];
  /** Undefined when rows can't be selected. */
  selected: boolean | undefined;
  selectable: boolean;
  /** Of the round marks that belong together; boxes where there is none. */
  group: string | undefined;
  onSelect: (row: Row, selected: boolean) => void;
  /** Undefined when rows have no details. */
  expanded: boolean | undefined;
  onExpand: (row: Row) => void;
}

function ExpandCell<Row>({ row, expanded, onExpand }: Pick<RowProps<Row>, 'row' | 'expanded' | 'onExpand'>) {
  return (
    <td className="table-lead" data-fixed="left">
      <button
        type="button"
        className="table-expand"
        aria-expanded={expanded}
        aria-label={word('table.details')}
        onClick={() => onExpand(row)}
      >
        {expanded ? '▾' : '▸'}
      </button>
    </td>
  );
}

function SelectCell<Row>(props: Omit<RowProps<Row>, 'columns' | 'index' | 'before' | 'onExpand'>) {
  const { row, selected, selectable, group, onSelect, expanded } = props;
  return (
    <td
      className="table-lead"
      data-fixed="left"
      style={expanded === undefined ? undefined : { left: LEAD_WIDTH }}
    >
      <input
        type={group ? 'radio' : 'checkbox'}
        name={group}
        checked={selected}
        disabled={!selectable}
        onChange={(event) => onSelect(row, event.target.checked)}
        aria-label={word('table.selectRow')}
      />
    </td>
  );
}

function PlainRow<Row>(props: RowProps<Row>) {
  const { row, index, before, columns, selected, expanded, onExpand } = props;
  return (
    <tr aria-rowindex={index + 2} data-selected={selected}>
      {expanded !== undefined && <ExpandCell row={row} expanded={expanded} onExpand={onExpand} />}
      {selected !== undefined && <SelectCell {...props} />}
      {columns.map((placed) => (
        <td
          key={placed.column.key}
          style={cellStyle(placed as PlacedColumn<unknown>)}
          data-fixed={placed.column.fixed}
          data-edge={placed.isEdge || undefined}
          className={placed.column.align === 'right' ? 'tabular' : undefined}
        >
          <Cell column={placed.column} row={row} index={index} before={before} />
        </td>
      ))}
    </tr>
  );
}

// A live table receives many rows, few of them changed: rows with the same data object are not rendered again.
const TableRow = memo(PlainRow) as typeof PlainRow;

interface TableBodyProps<Row> {
  rows: readonly Row[];
  /** How many rows stand on the pages before. */
  before: number;
  columns: readonly PlacedColumn<Row>[];
  scroller: RefObject<HTMLDivElement | null>;
  rowKey: (row: Row) => string;
  selection: TableSelection<Row> | undefined;
  /** Names the round marks of one table. */
  group: string;
  onSelect: (row: Row, selected: boolean) => void;
  details: RowDetails<Row>;
}

/** The rows in sight, between two empty rows as high as those above and below. */
export function TableBody<Row>(props: TableBodyProps<Row>) {
  const { rows, before, columns, scroller, rowKey, selection, group, onSelect, details } = props;
  const virtualizer = useLines(details, rows, rowKey, scroller);
  const items = virtualizer.getVirtualItems();
  const above = items[0]?.start ?? 0;
  const below = virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0);
  const drawDetails = (row: Row, item: number): ReactNode => (
    <tr
      key={`${rowKey(row)} details`}
      ref={virtualizer.measureElement}
      data-index={item}
      className="table-details"
    >
      <td colSpan={columns.length + 1 + (selection ? 1 : 0)}>{details.render?.(row)}</td>
    </tr>
  );
  return (
    <tbody>
      {above > 0 && <tr aria-hidden style={{ height: above }} />}
      {items.map(({ index: item }) => {
        const { index, isDetails } = details.place(item);
        const row = rows[index];
        if (row === undefined) return null;
        if (isDetails) return drawDetails(row, item);
        const key = rowKey(row);
        return (
          <TableRow
            key={key}
            row={row}
            index={index}
            before={before}
            columns={columns}
            selected={selection?.keys.has(key)}
            selectable={selection?.canSelect?.(row) ?? true}
            group={selection?.single ? group : undefined}
            onSelect={onSelect}
            expanded={details.render && details.opened.has(key)}
            onExpand={details.toggle}
          />
        );
      })}
      {below > 0 && <tr aria-hidden style={{ height: below }} />}
    </tbody>
  );
}

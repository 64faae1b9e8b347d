import type { Virtualizer } from '@tanstack/react-virtual';
import i18n from 'i18next';
import { memo } from 'react';
import { cellStyle } from './head';
import type { PlacedColumn } from './layout';

interface RowProps<Row> {
  row: Row;
  index: number;
  columns: readonly PlacedColumn<Row>[];
  /** Undefined when rows can't be selected. */
  selected: boolean | undefined;
  selectable: boolean;
  onSelect: (row: Row, selected: boolean) => void;
}

function PlainRow<Row>({ row, index, columns, selected, selectable, onSelect }: RowProps<Row>) {
  return (
    <tr aria-rowindex={index + 2} data-selected={selected}>
      {selected !== undefined && (
        <td className="table-select" data-fixed="left">
          <input
            type="checkbox"
            checked={selected}
            disabled={!selectable}
            onChange={(event) => onSelect(row, event.target.checked)}
            aria-label={i18n.t('table.selectRow')}
          />
        </td>
      )}
      {columns.map((placed) => (
        <td
          key={placed.column.key}
          style={cellStyle(placed as PlacedColumn<unknown>)}
          data-fixed={placed.column.fixed}
          className={placed.column.align === 'right' ? 'tabular' : undefined}
        >
          {placed.column.render(row, index)}
        </td>
      ))}
    </tr>
  );
}

// A live table hears of many rows and changes in few: rows whose data is the same object are not drawn again.
const TableRow = memo(PlainRow) as typeof PlainRow;

interface TableBodyProps<Row> {
  rows: readonly Row[];
  columns: readonly PlacedColumn<Row>[];
  virtualizer: Virtualizer<HTMLDivElement, HTMLTableRowElement>;
  rowKey: (row: Row) => string;
  selection: ReadonlySet<string> | undefined;
  canSelect: (row: Row) => boolean;
  onSelect: (row: Row, selected: boolean) => void;
}

/** The rows in sight, between two empty rows as high as those above and below. */
export function TableBody<Row>({
  rows,
  columns,
  virtualizer,
  rowKey,
  selection,
  canSelect,
  onSelect,
}: TableBodyProps<Row>) {
  const items = virtualizer.getVirtualItems();
  const above = items[0]?.start ?? 0;
  const below = virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    <tbody>
      {above > 0 && <tr aria-hidden style={{ height: above }} />}
      {items.map(({ index }) => {
        const row = rows[index];
        if (row === undefined) return null;
        const key = rowKey(row);
        return (
          <TableRow
            key={key}
            row={row}
            index={index}
            columns={columns}
            selected={selection?.has(key)}
            selectable={canSelect(row)}
            onSelect={onSelect}
          />
        );
      })}
      {below > 0 && <tr aria-hidden style={{ height: below }} />}
    </tbody>
  );
}

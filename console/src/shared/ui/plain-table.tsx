import type { SlotColumn } from './data-table/types';
import './plain-table.css';

interface PlainTableProps<Row> {
  label: string;
  columns: readonly (Pick<SlotColumn<Row>, 'title' | 'width' | 'align' | 'render'> & { key: string })[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
}

/** A short table inside a card: no paging, no sorting, nothing to choose. */
export function PlainTable<Row>({ label, columns, rows, rowKey }: PlainTableProps<Row>) {
  return (
    <table className="plain-table" aria-label={label}>
      <thead>
        <tr>
          {columns.map(({ key, title, width, align }) => (
            <th key={key} scope="col" style={{ width, textAlign: align }}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={rowKey(row)}>
            {columns.map(({ key, align, render }) => (
              <td
                key={key}
                style={{ textAlign: align }}
                className={align === 'right' ? 'tabular' : undefined}
              >
                {render(row, index)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

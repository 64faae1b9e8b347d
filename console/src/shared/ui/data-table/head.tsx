import { CaretDownOutlined, CaretUpOutlined } from '@ant-design/icons';
import { useTranslation } from 'react-i18next';
import type { PlacedColumn } from './layout';
import { nextOrder } from './table-state';
import type { Column, SortOrder, TableState } from './types';

export function cellStyle({ column, offset }: PlacedColumn<never> | PlacedColumn<unknown>) {
  return {
    textAlign: column.align,
    ...(column.fixed ? { [column.fixed]: offset } : {}),
  } as const;
}

interface SortButtonProps {
  column: Column<never>;
  order: SortOrder | undefined;
  onSort: TableState['setSort'];
}

function SortButton({ column, order, onSort }: SortButtonProps) {
  const { t } = useTranslation();
  const next = nextOrder(order);
  const words = { desc: 'table.sortDescending', asc: 'table.sortAscending' } as const;
  const hint = t(next ? words[next] : 'table.sortNone', { column: column.title });
  return (
    <button
      type="button"
      className="table-sort"
      title={hint}
      onClick={() => onSort(next ? column.key : undefined, next)}
    >
      {column.title}
      <span className="table-carets" data-order={order} aria-hidden>
        <CaretUpOutlined />
        <CaretDownOutlined />
      </span>
    </button>
  );
}

interface SelectAllProps {
  checked: boolean;
  partial: boolean;
  onChange: (checked: boolean) => void;
}

interface TableHeadProps {
  columns: readonly PlacedColumn<never>[];
  state: TableState;
  selectAll?: SelectAllProps;
}

const ariaSort = { asc: 'ascending', desc: 'descending' } as const;

export function TableHead({ columns, state, selectAll }: TableHeadProps) {
  const { t } = useTranslation();
  const { sort, order } = state.request;
  return (
    <thead>
      <tr>
        {selectAll && (
          <th scope="col" className="table-select" data-fixed="left">
            <input
              type="checkbox"
              ref={(box) => {
                if (box) box.indeterminate = selectAll.partial;
              }}
              checked={selectAll.checked}
              onChange={(event) => selectAll.onChange(event.target.checked)}
              aria-label={t('table.selectAll')}
            />
          </th>
        )}
        {columns.map((placed) => {
          const { column } = placed;
          const own = sort === column.key ? order : undefined;
          return (
            <th
              key={column.key}
              scope="col"
              style={cellStyle(placed)}
              data-fixed={column.fixed}
              aria-sort={own ? ariaSort[own] : undefined}
            >
              {column.sortable ? (
                <SortButton column={column} order={own} onSort={state.setSort} />
              ) : (
                column.title
              )}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

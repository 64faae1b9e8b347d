import { CaretDownOutlined, CaretUpOutlined, FilterFilled, FilterOutlined } from '@ant-design/icons';
import { Dropdown } from 'antd';
import { useTranslation } from 'react-i18next';
import { LEAD_WIDTH, type PlacedColumn } from './layout';
import { ResizeHandle } from './resize-handle';
import { nextOrder } from './table-state';
import type { Column, ColumnFilter, SortOrder, TableState } from './types';

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

function FilterButton({ title, filter }: { title: string; filter: ColumnFilter }) {
  const { t } = useTranslation();
  const isOn = filter.value !== (filter.options[0]?.value ?? '');
  return (
    <Dropdown
      trigger={['click']}
      menu={{
        items: filter.options.map(({ value, label }) => ({ key: value, label })),
        selectable: true,
        selectedKeys: [filter.value],
        onSelect: ({ key }) => filter.onChange(key),
        className: 'table-filter-menu',
      }}
    >
      <button
        type="button"
        className="table-filter"
        data-on={isOn}
        aria-label={t('table.filter', { column: title })}
      >
        {isOn ? <FilterFilled /> : <FilterOutlined />}
      </button>
    </Dropdown>
  );
}

/** What the viewer can do to the columns in the head itself. */
export interface ColumnChanges {
  resize: (key: string, width: number) => void;
  /** Puts one column where another stands. */
  move: (key: string, before: string) => void;
}

interface HeadCellProps {
  placed: PlacedColumn<never>;
  state: TableState;
  changes: ColumnChanges;
}

const ariaSort = { asc: 'ascending', desc: 'descending' } as const;
const DRAGGED = 'application/x-zcbus-column';

function HeadCell({ placed, state, changes }: HeadCellProps) {
  const { column } = placed;
  const { sort, order } = state.request;
  const own = sort === column.key ? order : undefined;
  return (
    <th
      scope="col"
      style={cellStyle(placed)}
      data-fixed={column.fixed}
      data-edge={placed.isEdge}
      aria-sort={own ? ariaSort[own] : undefined}
      draggable
      onDragStart={(event) => event.dataTransfer.setData(DRAGGED, column.key)}
      onDragOver={(event) => event.dataTransfer.types.includes(DRAGGED) && event.preventDefault()}
      onDrop={(event) => {
        const key = event.dataTransfer.getData(DRAGGED);
        if (key && key !== column.key) changes.move(key, column.key);
      }}
    >
      {column.sortable ? <SortButton column={column} order={own} onSort={state.setSort} /> : column.title}
      {column.filter && <FilterButton title={column.title} filter={column.filter} />}
      <ResizeHandle width={placed.width} onResize={(width) => changes.resize(column.key, width)} />
    </th>
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
  changes: ColumnChanges;
  /** `many`: a box for all rows of the page. `single`: only the room above the rows' marks. */
  selection: 'many' | 'single' | undefined;
  selectAll: SelectAllProps;
  canExpand: boolean;
}

export function TableHead({ columns, state, changes, selection, selectAll, canExpand }: TableHeadProps) {
  const { t } = useTranslation();
  return (
    <thead>
      <tr>
        {canExpand && (
          <th scope="col" className="table-lead" data-fixed="left">
            <span className="visually-hidden">{t('table.details')}</span>
          </th>
        )}
        {selection && (
          <th
            scope="col"
            className="table-lead"
            data-fixed="left"
            style={{ left: canExpand ? LEAD_WIDTH : 0 }}
          >
            {selection === 'many' ? (
              <input
                type="checkbox"
                ref={(box) => {
                  if (box) box.indeterminate = selectAll.partial;
                }}
                checked={selectAll.checked}
                onChange={(event) => selectAll.onChange(event.target.checked)}
                aria-label={t('table.selectAll')}
              />
            ) : (
              <span className="visually-hidden">{t('table.selectRow')}</span>
            )}
          </th>
        )}
        {columns.map((placed) => (
          <HeadCell key={placed.column.key} placed={placed} state={state} changes={changes} />
        ))}
      </tr>
    </thead>
  );
}

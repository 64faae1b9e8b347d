import { ReloadOutlined } from '@ant-design/icons';
import { useVirtualizer } from '@tanstack/react-virtual';
import { Button, Pagination, Space, Tooltip } from 'antd';
import { type ReactNode, useCallback, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useElementSize } from '@/shared/hooks/use-element-size';
import { EmptyState } from '../empty-state';
import { ErrorState } from '../error-state';
import { LoadingState } from '../loading-state';
import { TableBody } from './body';
import { ColumnsMenu, useHiddenColumns } from './columns-menu';
import { TableHead } from './head';
import { type PlacedColumn, placeColumns, SELECTION_WIDTH } from './layout';
import { pageSizes } from './table-state';
import type { Column, PageQuery, TableState } from './types';
import './data-table.css';

const ROW_HEIGHT = 32;

export interface TableSelection<Row> {
  keys: ReadonlySet<string>;
  onChange: (keys: ReadonlySet<string>) => void;
  /** Rows that may not be chosen have their box greyed; all may where this is left out. */
  canSelect?: (row: Row) => boolean;
}

const anyRow = () => true;

export interface DataTableProps<Row> {
  /** Names the table for screen readers. */
  label: string;
  /** Under this name the viewer's choice of columns is remembered. */
  name: string;
  columns: readonly Column<Row>[];
  query: PageQuery<Row>;
  state: TableState;
  rowKey: (row: Row) => string;
  /** Shown when there is no row: what this is, why it is empty, the button that fills it. */
  empty: { title: ReactNode; hint?: ReactNode; action?: ReactNode };
  /** Keys of the selected rows; leave out where rows are not selected. */
  selection?: TableSelection<Row>;
  /** Left of the table's head: the primary action, then what acts on the selection. */
  toolbar?: ReactNode;
  /** Right of the toolbar, before refresh and columns. */
  extra?: ReactNode;
}

/** The one table of the console: paged and sorted by the server, drawing only the rows in sight. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { columns, query, state, empty, selection, toolbar, extra, name } = props;
  const { t } = useTranslation();
  const [hidden, hide] = useHiddenColumns(name);
  return (
    <section className="data-table" aria-label={props.label}>
      <div className="table-bar">
        <Space>{toolbar}</Space>
        <Space size={4} className="table-bar-end">
          {selection && selection.keys.size > 0 && (
            <>
              <span>{t('table.selected', { count: selection.keys.size })}</span>
              <Button type="link" onClick={() => selection.onChange(new Set())}>
                {t('table.clearSelection')}
              </Button>
            </>
          )}
          {extra}
          {query.refetch && (
            <Tooltip title={t('action.refresh')}>
              <Button
                type="text"
                icon={<ReloadOutlined />}
                aria-label={t('action.refresh')}
                onClick={() => query.refetch?.()}
              />
            </Tooltip>
          )}
          <ColumnsMenu columns={columns} hidden={hidden} onHide={hide} />
        </Space>
      </div>
      {query.data && query.data.total > 0 ? (
        <Grid {...props} hidden={hidden} page={query.data} />
      ) : (
        <div className="table-blank">
          {query.data ? (
            <EmptyState {...empty} />
          ) : query.error ? (
            <ErrorState error={query.error} onRetry={() => query.refetch?.()} />
          ) : (
            <LoadingState rows={8} />
          )}
        </div>
      )}
      {query.data && query.data.total > 0 && (
        <Pagination
          className="table-pager"
          current={state.request.current}
          pageSize={state.request.size}
          total={query.data.total}
          onChange={state.setPage}
          pageSizeOptions={pageSizes}
          showSizeChanger
          showQuickJumper
          showTotal={(total) => t('table.total', { total })}
        />
      )}
    </section>
  );
}

interface GridProps<Row> extends DataTableProps<Row> {
  hidden: ReadonlySet<string>;
  page: { records: readonly Row[] };
}

function useSelection<Row>({ selection, rowKey, page }: GridProps<Row>) {
  const select = useCallback(
    (rows: readonly Row[], isSelected: boolean) => {
      if (!selection) return;
      const next = new Set(selection.keys);
      for (const row of rows) {
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
    const rows = page.records.filter(selection.canSelect ?? anyRow);
    return [rows, rows.filter((row) => selection.keys.has(rowKey(row))).length];
  }, [page.records, selection, rowKey]);
  const all = choosable.length;
  return { select, isAll: all > 0 && chosen === all, isSome: chosen > 0 && chosen < all, choosable };
}

function Grid<Row>(props: GridProps<Row>) {
  const { columns, hidden, page, label, state, rowKey, selection } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const { width } = useElementSize(scroller);
  const hasSelection = selection !== undefined;
  const placed = useMemo(
    () =>
      placeColumns(
        columns.filter((column) => !hidden.has(column.key)),
        width,
        hasSelection,
      ),
    [columns, hidden, width, hasSelection],
  );
  const virtualizer = useVirtualizer<HTMLDivElement, HTMLTableRowElement>({
    count: page.records.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 10,
    initialRect: { width: 1000, height: 640 },
  });
  const { select, isAll, isSome, choosable } = useSelection(props);
  const selectOne = useCallback((row: Row, isSelected: boolean) => select([row], isSelected), [select]);
  const total = placed.reduce((sum, { width: own }) => sum + own, selection ? SELECTION_WIDTH : 0);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled area must be reachable by keyboard
    <div ref={scroller} className="table-scroller" tabIndex={0}>
      <table aria-label={label} aria-rowcount={page.records.length + 1} style={{ width: total }}>
        <colgroup>
          {selection && <col style={{ width: SELECTION_WIDTH }} />}
          {placed.map(({ column, width: own }) => (
            <col key={column.key} style={{ width: own }} />
          ))}
        </colgroup>
        <TableHead
          columns={placed as readonly PlacedColumn<never>[]}
          state={state}
          selectAll={
            selection && {
              checked: isAll,
              partial: isSome,
              onChange: (checked) => select(choosable, checked),
            }
          }
        />
        <TableBody
          rows={page.records}
          columns={placed}
          virtualizer={virtualizer}
          rowKey={rowKey}
          selection={selection?.keys}
          canSelect={selection?.canSelect ?? anyRow}
          onSelect={selectOne}
        />
      </table>
    </div>
  );
}

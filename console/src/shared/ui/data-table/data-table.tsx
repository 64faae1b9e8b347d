import { ReloadOutlined } from '@ant-design/icons';
import { Button, Space } from 'antd';
import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../empty-state';
import { ErrorState } from '../error-state';
import { LoadingState } from '../loading-state';
import { Tip } from '../tip';
import { ColumnsMenu } from './columns-menu';
import { ExportMenu } from './export-menu';
import { Grid } from './grid';
import { withHeadShown } from './head-width';
import { Pager } from './pager';
import type { Column, ListDefinition, PageQuery, TableSelection, TableState } from './types';
import { arrange, isVisible, moved, useViewerLayout } from './viewer-layout';
import './data-table.css';

export interface DataTableProps<Row> {
  /** Names the table for screen readers, and the files that it is exported to. */
  label: string;
  /** Under this name the viewer's choice of columns is remembered. */
  name: string;
  columns: readonly Column<Row>[];
  /** What the server says of the list; left out where the rows are in the browser's memory. */
  list?: ListDefinition;
  query: PageQuery<Row>;
  state: TableState;
  rowKey: (row: Row) => string;
  /** Shown when there is no row: what this is, why it is empty, the button that fills it. */
  empty?: { title: ReactNode; hint?: ReactNode; action?: ReactNode };
  /** Keys of the selected rows; leave out where rows are not selected. */
  selection?: TableSelection<Row>;
  /** What stands under a row that is opened; leave out where rows don't open. Keep it the same between renders. */
  expand?: (row: Row) => ReactNode;
  /** All rows of all pages, filtered and sorted as the table is. With it the list can be exported and chosen whole. */
  loadAll?: () => Promise<readonly Row[]>;
  /** Left of the table's head: the primary action, then what acts on the selection. */
  toolbar?: ReactNode;
  /** Right of the toolbar, before refresh and columns. */
  extra?: ReactNode;
}

/** A column of a list of the server can be sorted where the server can do it. */
function sortedBy<Row>(column: Column<Row>, list: ListDefinition | undefined): Column<Row> {
  return list ? { ...column, sortable: list.sortable.includes(column.key) } : column;
}

/** The columns as the viewer has arranged them, and what the viewer can change about them. */
function useColumns<Row>(columns: readonly Column<Row>[], list: ListDefinition | undefined, table: string) {
  const [layout, setLayout] = useViewerLayout(table);
  const shown = useMemo(
    () => columns.map((column) => withHeadShown(sortedBy(column, list))),
    [columns, list],
  );
  const arranged = useMemo(() => arrange(shown, layout), [shown, layout]);
  const visible = useMemo(
    () => arranged.filter((column) => isVisible(column as Column<never>, layout)),
    [arranged, layout],
  );
  const keeps = useCallback((column: Column<Row>) => layout.visible?.[column.key] === true, [layout]);
  const changes = useMemo(
    () => ({
      resize: (key: string, width: number) =>
        setLayout({ ...layout, widths: { ...layout.widths, [key]: width } }),
      move: (key: string, before: string) =>
        setLayout({
          ...layout,
          order: moved(
            arranged.map((column) => column.key),
            key,
            before,
          ),
        }),
    }),
    [layout, setLayout, arranged],
  );
  return { layout, setLayout, arranged, visible, keeps, changes };
}

/** The one table of the console: paged and sorted by the server, drawing only the rows in sight. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { columns, list, query, state, selection, name, label, rowKey, expand, loadAll } = props;
  const { layout, setLayout, arranged, visible, keeps, changes } = useColumns(columns, list, name);
  const [leftOut, setLeftOut] = useState('');
  const page = query.data && query.data.total > 0 ? query.data : undefined;
  return (
    <section className="data-table" aria-label={label}>
      <div className="table-bar">
        <div className="table-bar-begin">{props.toolbar}</div>
        <Space size={4} className="table-bar-end">
          {selection && <Chosen selection={selection} page={page} rowKey={rowKey} loadAll={loadAll} />}
          {props.extra}
          {query.refetch && <RefreshButton refetch={query.refetch} />}
          {loadAll && (
            <ExportMenu name={label} columns={visible} load={loadAll} isEmpty={page === undefined} />
          )}
          <ColumnsMenu
            columns={arranged as readonly Column<never>[]}
            leftOut={leftOut.split(' ')}
            layout={layout}
            onChange={setLayout}
          />
        </Space>
      </div>
      {page ? (
        <Grid
          label={label}
          rows={page.records}
          columns={visible}
          keeps={keeps}
          changes={changes}
          state={state}
          rowKey={rowKey}
          selection={selection}
          expand={expand}
          isFormer={query.isPlaceholderData === true}
          onLeaveOut={setLeftOut}
        />
      ) : (
        <Blank {...props} />
      )}
      {page && <Pager of={label} state={state} total={page.total} />}
    </section>
  );
}

function Blank<Row>({ query, empty }: DataTableProps<Row>) {
  const { t } = useTranslation();
  return (
    <div className="table-blank">
      {query.data ? (
        <EmptyState {...(empty ?? { title: t('table.empty') })} />
      ) : query.error ? (
        <ErrorState error={query.error} onRetry={() => query.refetch?.()} />
      ) : (
        <LoadingState rows={8} />
      )}
    </div>
  );
}

function RefreshButton({ refetch }: { refetch: () => unknown }) {
  const { t } = useTranslation();
  return (
    <Tip title={t('action.refresh')}>
      <Button
        type="text"
        icon={<ReloadOutlined />}
        aria-label={t('action.refresh')}
        onClick={() => refetch()}
      />
    </Tip>
  );
}

interface ChosenProps<Row> {
  selection: TableSelection<Row>;
  page: { total: number } | undefined;
  rowKey: (row: Row) => string;
  loadAll: (() => Promise<readonly Row[]>) | undefined;
}

/** How many rows are chosen over all pages, and the ways to choose all that the filter leaves, or none. */
function Chosen<Row>({ selection, page, rowKey, loadAll }: ChosenProps<Row>) {
  const { t } = useTranslation();
  const { keys, canSelect, single, onChange } = selection;
  if (keys.size === 0) return null;
  const chooseAll = async (load: () => Promise<readonly Row[]>) => {
    const rows = (await load()).filter(canSelect ?? (() => true));
    onChange(new Set([...keys, ...rows.map(rowKey)]), rows);
  };
  return (
    <>
      <span role="status">{t('table.selected', { count: keys.size })}</span>
      {loadAll && !single && page && keys.size < page.total && (
        <Button type="link" onClick={() => chooseAll(loadAll)}>
          {t('table.selectWhole', { count: page.total })}
        </Button>
      )}
      <Button type="link" onClick={() => onChange(new Set())}>
        {t('table.clearSelection')}
      </Button>
    </>
  );
}

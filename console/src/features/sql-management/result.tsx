import type { UseMutationResult } from '@tanstack/react-query';
import { Alert } from 'antd';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { SqlRows } from '@/shared/api';
import { count, duration } from '@/shared/lib/figures';
import { type Column, DataTable, localPage, useOwnTableState } from '@/shared/ui/data-table';
import { LoadingState } from '@/shared/ui/loading-state';
import type { Asked } from './use-run';

interface Row {
  key: string;
  cells: readonly unknown[];
}

const keyOf = ({ key }: Row) => key;
const NARROWEST = 120;

/** What came of the statement that was run last. */
export function Result({ run }: { run: UseMutationResult<SqlRows, Error, Asked> }) {
  const { t } = useTranslation('sql-management');
  if (run.isPending) return <LoadingState rows={6} />;
  if (run.error) {
    return (
      <Alert
        type="error"
        showIcon
        title={t('failed')}
        description={<span className="sql-error">{run.error.message}</span>}
      />
    );
  }
  if (!run.data) return <p className="sql-status">{t('resultHint')}</p>;
  return (
    <>
      <p role="status" className="sql-status">
        <Summary found={run.data} />
      </p>
      {run.data.columns.length > 0 && <Rows found={run.data} />}
    </>
  );
}

function Summary({ found }: { found: SqlRows }) {
  const { t } = useTranslation('sql-management');
  const time = duration(found.durationMs);
  if (found.affected !== null && found.columns.length === 0)
    return t('affected', { rows: count(found.affected), time });
  return t(found.more ? 'rowsMore' : 'rowsFound', { rows: count(found.rows.length), time });
}

/** The rows, paged in the browser; all of them can be exported. */
function Rows({ found }: { found: SqlRows }) {
  const { t } = useTranslation('sql-management');
  const state = useOwnTableState();
  const rows = useMemo(() => found.rows.map((cells, place): Row => ({ key: String(place), cells })), [found]);
  const columns = useMemo(
    () =>
      found.columns.map(
        ({ name, type }, place): Column<Row> => ({
          key: name,
          of: ['cells'],
          title: name,
          minWidth: NARROWEST,
          align: isNumber(type) ? 'right' : 'left',
          render: ({ cells }) => <Cell value={cells[place]} />,
          text: ({ cells }) => plain(cells[place]),
        }),
      ),
    [found],
  );
  const query = useMemo(() => localPage(rows, state.request, '', keyOf), [rows, state.request]);
  return (
    <DataTable
      label={t('result')}
      name="sql-result"
      columns={columns}
      query={query}
      state={state}
      rowKey={keyOf}
      loadAll={async () => rows}
      empty={{ title: t('noRows') }}
    />
  );
}

function Cell({ value }: { value: unknown }) {
  if (value === null || value === undefined) return <em className="sql-null">NULL</em>;
  const text = String(plain(value));
  return (
    <span className="sql-cell" title={text}>
      {text}
    </span>
  );
}

function plain(value: unknown): string | number | boolean | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'object') return JSON.stringify(value);
  return typeof value === 'number' || typeof value === 'boolean' ? value : String(value);
}

function isNumber(type: string): boolean {
  return /^(int\d?|tiny|short|long|longlong|int24|float\d?|double|numeric|decimal|newdecimal)$/.test(type);
}

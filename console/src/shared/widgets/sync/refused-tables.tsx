import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Column, DataTable, localPage, matching, useOwnTableState } from '@/shared/ui/data-table';
import { ListSearch } from '@/shared/ui/list-search';
import { PlainTable } from '@/shared/ui/plain-table';
import './sync.css';

/** What became of one table of many. */
export interface TableResult {
  id: string | null;
  table: string;
  done: boolean;
  reason: string;
}

/** Number of tables listed directly. */
const AT_A_GLANCE = 20;

const keyOf = ({ id, table }: TableResult) => id ?? table;

/** Tables with which nothing was done, each with its reason; many are searched and paged. */
export function RefusedTables({ rows }: { rows: readonly TableResult[] }) {
  const { t } = useTranslation('sync');
  if (rows.length > AT_A_GLANCE) return <ManyRefused rows={rows} />;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled area must be reachable by keyboard
    <div className="sync-results" tabIndex={0}>
      <PlainTable<TableResult>
        label={t('results.title')}
        rows={rows}
        rowKey={keyOf}
        columns={[
          { key: 'table', title: t('results.table'), width: 280, render: ({ table, id }) => table || id },
          { key: 'reason', title: t('results.reason'), render: ({ reason }) => reason },
        ]}
      />
    </div>
  );
}

const wordsOf = ({ table, id, reason }: TableResult) => `${table || id} ${reason}`;

function ManyRefused({ rows }: { rows: readonly TableResult[] }) {
  const { t } = useTranslation('sync');
  const state = useOwnTableState();
  const [search, setSearch] = useState('');
  const page = useMemo(() => localPage(rows, state.request, search, wordsOf), [rows, state.request, search]);
  const columns = useMemo<Column<TableResult>[]>(
    () => [
      {
        key: 'table',
        title: t('results.table'),
        width: 240,
        essential: true,
        type: 'text',
        length: 60,
        text: ({ table, id }) => table || id || '',
      },
      {
        key: 'reason',
        title: t('results.reason'),
        minWidth: 240,
        type: 'text',
        length: 200,
        text: ({ reason }) => reason,
      },
    ],
    [t],
  );
  return (
    <div className="sync-results-many">
      <DataTable
        label={t('results.title')}
        name="sync-results"
        columns={columns}
        query={page}
        state={state}
        rowKey={keyOf}
        loadAll={async () => matching(rows, search, wordsOf)}
        empty={{ title: t('results.emptyFiltered') }}
        toolbar={
          <ListSearch
            label={t('results.search')}
            value={search}
            onSearch={(wanted) => {
              setSearch(wanted);
              state.toFirstPage();
            }}
          />
        }
      />
    </div>
  );
}

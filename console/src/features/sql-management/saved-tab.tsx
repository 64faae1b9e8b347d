import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { audited, call, type SqlRecord, sqlDelete, sqlPage } from '@/shared/api';
import { sqlPageList } from '@/shared/api/lists';
import { useMay } from '@/shared/hooks/use-may';
import { notify } from '@/shared/lib/notices';
import { reportFailure } from '@/shared/lib/report-failure';
import { type Column, DataTable, MOMENT_WIDTH, useListFilter, useTableState } from '@/shared/ui/data-table';
import { Moment } from '@/shared/ui/figures';
import { ListSearch } from '@/shared/ui/list-search';
import { confirmDelete } from '@/shared/widgets/delete-confirm';
import type { Draft } from './draft';
import { SQL, useRefresh, useSaved } from './queries';

const defaults = { search: '' };
const keyOf = ({ id }: SqlRecord) => id;

/** Saved statements; a click opens one in the editor. */
export default function SavedTab({ onOpen }: { onOpen: (draft: Draft) => void }) {
  const { t } = useTranslation('sql-management');
  const state = useTableState();
  const [filter, narrow] = useListFilter('sql-saved', defaults);
  const asked = { ...state.request, search: filter.search };
  const query = useSaved(asked);
  return (
    <DataTable
      label={t('saved')}
      name="sql-saved"
      columns={useColumns(onOpen)}
      list={sqlPageList}
      query={query}
      state={state}
      rowKey={keyOf}
      loadAll={async () => (await call(sqlPage({ body: { ...asked, current: 1, size: -1 } }))).records}
      empty={filter.search ? { title: t('emptyFiltered') } : { title: t('empty'), hint: t('emptyHint') }}
      toolbar={
        <ListSearch label={t('search')} value={filter.search} onSearch={(search) => narrow({ search })} />
      }
    />
  );
}

function useColumns(onOpen: (draft: Draft) => void): Column<SqlRecord>[] {
  const { t } = useTranslation('sql-management');
  const may = useMay(SQL);
  const remove = useRemoval();
  return useMemo(
    () => [
      {
        key: 'description',
        type: 'text',
        title: t('description'),
        width: 220,
        essential: true,
        text: (row) => row.description,
      },
      {
        key: 'statement',
        type: 'text',
        title: t('statement'),
        minWidth: 300,
        length: 120,
        text: (row) => row.statement,
      },
      { key: 'updatedBy', type: 'text', title: t('updatedBy'), width: 140, text: (row) => row.updatedBy },
      {
        key: 'updatedAt',
        title: t('updatedAt'),
        width: MOMENT_WIDTH,
        text: (row) => row.updatedAt,
        render: (row) => <Moment at={row.updatedAt} />,
      },
      {
        key: 'actions',
        type: 'options',
        title: t('actions'),
        width: 140,
        fixed: 'right',
        essential: true,
        shown: 2,
        actions: (row) => [
          {
            key: 'open',
            label: t('open'),
            run: () => {
              const { id, description, databaseId, statement } = row;
              onOpen({ id, description, databaseId, statement });
            },
          },
          ...(may('delete')
            ? [{ key: 'delete', label: t('delete'), danger: true, run: () => remove(row) }]
            : []),
        ],
      },
    ],
    [t, may, onOpen, remove],
  );
}

/** Deletes a saved statement, once that is wanted indeed. */
function useRemoval(): (row: SqlRecord) => void {
  const { t } = useTranslation('sql-management');
  const refresh = useRefresh();
  return (row) =>
    confirmDelete({
      title: t('deleteTitle', { name: row.description }),
      content: t('deleteHint'),
      dependants: { deleting: 'resource/sql/delete', id: row.id },
      isRecycled: true,
      action: t('delete'),
      mode: 'post',
      run: async (proof) => {
        await call(sqlDelete({ body: { id: row.id, ...proof }, ...audited(row) })).catch(
          reportFailure('delete'),
        );
        notify('success', t('deleted', { name: row.description }));
        await refresh();
      },
    });
}

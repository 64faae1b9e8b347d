import { Button } from 'antd';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { RecycledRecord } from '@/shared/api';
import { recycleBinPageList } from '@/shared/api/lists';
import { useMay } from '@/shared/hooks/use-may';
import { type Column, DataTable, MOMENT_WIDTH, useListFilter, useTableState } from '@/shared/ui/data-table';
import { Moment } from '@/shared/ui/figures';
import { ListChoice } from '@/shared/ui/list-choice';
import { ListSearch } from '@/shared/ui/list-search';
import { LiveMark } from '@/shared/ui/live-mark';
import { allRecycled, KINDS, RECYCLE_BIN, useMayOfKind, useRecycled } from './queries';
import { useEmptying, usePurge, useRestore } from './use-actions';

const defaults = { search: '', kind: '' };
const keyOf = ({ id }: RecycledRecord) => id;

/** Deleted objects that can be restored until they expire. */
export default function RecycleBinPage() {
  const { t } = useTranslation('recycle-bin');
  const state = useTableState();
  const [filter, narrow] = useListFilter('recycle-bin', defaults);
  const kind = KINDS.find((one) => one === filter.kind);
  const asked = { ...state.request, search: filter.search, ...(kind && { kind }) };
  const query = useRecycled(asked);
  const empty = useEmptying();
  const mayDelete = useMay(RECYCLE_BIN)('delete');
  const isFiltered = Boolean(filter.search || kind);
  return (
    <>
      <h1 className="visually-hidden">{t('title')}</h1>
      <DataTable
        label={t('title')}
        name="recycle-bin"
        columns={useColumns()}
        list={recycleBinPageList}
        query={query}
        state={state}
        rowKey={keyOf}
        loadAll={() => allRecycled(asked)}
        empty={isFiltered ? { title: t('emptyFiltered') } : { title: t('empty'), hint: t('emptyHint') }}
        toolbar={
          <>
            <ListSearch label={t('search')} value={filter.search} onSearch={(search) => narrow({ search })} />
            <ListChoice
              label={t('kind')}
              value={kind ?? ''}
              onChange={(chosen) => narrow({ kind: chosen })}
              options={[
                { value: '' as const, label: t('anyKind') },
                ...KINDS.map((value) => ({ value, label: t(`kinds.${value}`) })),
              ]}
            />
            {mayDelete && (query.data?.total || isFiltered) ? (
              <Button danger onClick={() => void empty().catch(() => undefined)}>
                {t('emptyBin')}
              </Button>
            ) : null}
          </>
        }
        extra={<LiveMark query={query} />}
      />
    </>
  );
}

function useColumns(): Column<RecycledRecord>[] {
  const { t } = useTranslation('recycle-bin');
  const may = useMay(RECYCLE_BIN);
  const mayOf = useMayOfKind();
  const restore = useRestore();
  const purge = usePurge();
  return useMemo(() => {
    const moment = (key: 'deletedAt' | 'expiresAt'): Column<RecycledRecord> => ({
      key,
      title: t(key),
      width: MOMENT_WIDTH,
      essential: true,
      text: (row) => row[key],
      render: (row) => <Moment at={row[key]} />,
    });
    return [
      {
        key: 'name',
        type: 'text',
        title: t('name'),
        minWidth: 160,
        essential: true,
        text: ({ name }) => name,
      },
      { key: 'kind', type: 'text', title: t('kind'), width: 130, text: ({ kind }) => t(`kinds.${kind}`) },
      { key: 'deletedBy', type: 'text', title: t('deletedBy'), minWidth: 120, text: (row) => row.deletedBy },
      moment('deletedAt'),
      moment('expiresAt'),
      {
        key: 'actions',
        type: 'options',
        title: t('actions'),
        width: 230,
        fixed: 'right',
        essential: true,
        shown: 2,
        actions: (row) => [
          ...(may('edit') && mayOf(row.kind, 'create')
            ? [{ key: 'restore', label: t('restore'), run: () => void restore(row).catch(() => undefined) }]
            : []),
          ...(may('delete') && mayOf(row.kind, 'delete')
            ? [{ key: 'delete', label: t('delete'), danger: true, run: () => purge(row) }]
            : []),
        ],
      },
    ];
  }, [t, may, mayOf, restore, purge]);
}

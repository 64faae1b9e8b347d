import { PlusOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { lazy, Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { audited, call, type DictionaryListRecord, dictionaryDelete } from '@/shared/api';
import { dictionaryPageList } from '@/shared/api/lists';
import { useMay } from '@/shared/hooks/use-may';
import { useUrlState } from '@/shared/hooks/use-url-state';
import { notify } from '@/shared/lib/notices';
import { reportFailure } from '@/shared/lib/report-failure';
import { type Column, DataTable, MOMENT_WIDTH, type RowAction, useTableState } from '@/shared/ui/data-table';
import { Moment } from '@/shared/ui/figures';
import { ListSearch } from '@/shared/ui/list-search';
import { confirmDelete } from '@/shared/widgets/delete-confirm';
import { allDictionaries, useDictionaries, useRefreshDictionaries } from './queries';

const DictionaryDrawer = lazy(() => import('./dictionary-drawer'));

const MENU_KEY = 'system/bus-sys-parameter';
const PREFIX = 'dictionary-';

const filterDefaults = { search: '', current: 1 };

const keyOf = (dictionary: DictionaryListRecord) => dictionary.dictType;

type Open = { dictType?: string; builtIn?: boolean };

/** What the keys of fields are called in both languages. */
export function DictionariesTab() {
  const { t } = useTranslation('parameter');
  const state = useTableState(PREFIX);
  const [filter, setFilter] = useUrlState(filterDefaults, PREFIX);
  const [open, setOpen] = useState<Open>();
  const query = useDictionaries(state.request, filter.search);
  const columns = useColumns(setOpen);
  const add = useMay(MENU_KEY)('create') && (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => setOpen({})}>
      {t('dictionary.add')}
    </Button>
  );
  return (
    <>
      <DataTable
        label={t('dictionary.title')}
        name="dictionaries"
        columns={columns}
        list={dictionaryPageList}
        query={query}
        state={state}
        rowKey={keyOf}
        loadAll={() => allDictionaries(state.request, filter.search)}
        empty={{ title: t('dictionary.emptyFiltered') }}
        toolbar={
          <>
            {add}
            <ListSearch
              label={t('dictionary.search')}
              value={filter.search}
              onSearch={(search) => setFilter({ search, current: 1 })}
            />
          </>
        }
      />
      <Suspense fallback={null}>
        {open && <DictionaryDrawer {...open} onClose={() => setOpen(undefined)} />}
      </Suspense>
    </>
  );
}

function useActions(setOpen: (open: Open) => void): (row: DictionaryListRecord) => RowAction[] {
  const { t } = useTranslation('parameter');
  const may = useMay(MENU_KEY);
  const refresh = useRefreshDictionaries();
  const remove = (row: DictionaryListRecord) => {
    const { dictType, items } = row;
    confirmDelete({
      title: t('dictionary.deleteTitle', { type: dictType }),
      content: t('dictionary.deleteHint', { count: items }),
      dependants: null,
      mode: 'post',
      run: async (proof) => {
        await call(dictionaryDelete({ body: { dictType, ...proof }, ...audited(row) })).catch(
          reportFailure('delete'),
        );
        notify('success', t('dictionary.deleted', { type: dictType }));
        await refresh();
      },
    });
  };
  return (row) => {
    const actions: (RowAction | false)[] = [
      may('edit') && {
        key: 'edit',
        label: t('edit'),
        run: () => setOpen({ dictType: row.dictType, builtIn: row.builtIn }),
      },
      may('delete') && {
        key: 'delete',
        label: t('delete'),
        danger: true,
        refused: row.builtIn ? t('dictionary.builtInHint') : undefined,
        run: () => remove(row),
      },
    ];
    return actions.filter((action) => action !== false);
  };
}

function useColumns(setOpen: (open: Open) => void): Column<DictionaryListRecord>[] {
  const { t } = useTranslation('parameter');
  const actions = useActions(setOpen);
  return useMemo(
    () => [
      {
        key: 'dictType',
        type: 'text',
        title: t('dictionary.type'),
        minWidth: 180,
        length: 40,
        essential: true,
        text: ({ dictType }) => dictType,
      },
      {
        key: 'displayName',
        type: 'text',
        title: t('dictionary.nameZh'),
        minWidth: 140,
        text: ({ displayName }) => displayName,
      },
      {
        key: 'displayEnName',
        type: 'text',
        title: t('dictionary.nameEn'),
        minWidth: 140,
        text: ({ displayEnName }) => displayEnName,
      },
      {
        key: 'items',
        type: 'text',
        title: t('dictionary.items'),
        width: 100,
        align: 'right',
        text: ({ items }) => items,
      },
      {
        key: 'builtIn',
        type: 'text',
        title: t('dictionary.builtIn'),
        width: 90,
        text: ({ builtIn }) => t(builtIn ? 'yes' : 'no'),
      },
      {
        key: 'updatedAt',
        title: t('updatedAt'),
        width: MOMENT_WIDTH,
        leaveOut: true,
        text: ({ updatedAt }) => updatedAt ?? '',
        render: ({ updatedAt }) => (updatedAt ? <Moment at={updatedAt} /> : '–'),
      },
      {
        key: 'actions',
        type: 'options',
        title: t('actions'),
        width: 150,
        shown: 2,
        fixed: 'right',
        essential: true,
        actions,
      },
    ],
    [t, actions],
  );
}

import { lazy, Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { audited, call, dataServiceDeleteGroup, type GroupRecord } from '@/shared/api';
import { dataServicePageGroupsList } from '@/shared/api/lists';
import { useMay } from '@/shared/hooks/use-may';
import { type Column, DataTable, MOMENT_WIDTH, useListFilter, useTableState } from '@/shared/ui/data-table';
import { Moment } from '@/shared/ui/figures';
import { ListSearch } from '@/shared/ui/list-search';
import { Place, placeText } from '@/shared/widgets/sync/place';
import { AddButton } from './add-button';
import { GROUPS, useGroups } from './queries';
import { useDeletion } from './use-deletion';

const GroupDrawer = lazy(() => import('./group-drawer'));

const PREFIX = 'group-';
const defaults = { search: '' };
const keyOf = ({ id }: GroupRecord) => id;

export function GroupsTab() {
  const { t } = useTranslation('data-service');
  const state = useTableState(PREFIX);
  const [filter, narrow] = useListFilter('api-groups', defaults, PREFIX);
  const [open, setOpen] = useState<{ edit?: GroupRecord }>();
  const query = useGroups(state.request, filter.search);
  const add = <AddButton menu={GROUPS} label={t('group.add')} onClick={() => setOpen({})} />;
  return (
    <>
      <DataTable
        label={t('group.title')}
        name="api-groups"
        columns={useColumns(setOpen)}
        list={dataServicePageGroupsList}
        query={query}
        state={state}
        rowKey={keyOf}
        empty={
          filter.search
            ? { title: t('emptyFiltered') }
            : { title: t('group.empty'), hint: t('group.emptyHint'), action: add }
        }
        toolbar={
          <>
            {add}
            <ListSearch
              label={t('group.search')}
              value={filter.search}
              onSearch={(search) => narrow({ search })}
            />
          </>
        }
      />
      <Suspense>{open && <GroupDrawer edit={open.edit} onClose={() => setOpen(undefined)} />}</Suspense>
    </>
  );
}

function useColumns(setOpen: (open: { edit: GroupRecord }) => void): Column<GroupRecord>[] {
  const { t } = useTranslation('data-service');
  const may = useMay(GROUPS);
  const ask = useDeletion('group');
  return useMemo(
    () => [
      {
        key: 'name',
        type: 'text',
        title: t('name'),
        minWidth: 140,
        essential: true,
        text: (row) => row.name,
      },
      {
        key: 'prefix',
        type: 'text',
        title: t('group.prefix'),
        minWidth: 120,
        text: (row) => `/${row.prefix}`,
      },
      {
        key: 'dataServiceName',
        type: 'text',
        title: t('service.one'),
        minWidth: 130,
        text: (row) => row.dataServiceName,
      },
      {
        key: 'connection',
        title: t('group.source'),
        minWidth: 180,
        text: ({ connection }) => placeText(connection),
        render: ({ connection }) => <Place connection={connection} />,
      },
      {
        key: 'owner',
        type: 'text',
        title: t('group.owner'),
        width: 130,
        text: (row) => row.owner,
      },
      {
        key: 'apis',
        type: 'text',
        title: t('group.apis'),
        width: 130,
        align: 'right',
        text: (row) => `${row.published} / ${row.apis}`,
      },
      {
        key: 'updatedAt',
        title: t('updated'),
        width: MOMENT_WIDTH,
        leaveOut: true,
        text: (row) => row.updatedAt,
        render: (row) => <Moment at={row.updatedAt} />,
      },
      {
        key: 'actions',
        type: 'options',
        title: t('actions'),
        width: 150,
        fixed: 'right',
        essential: true,
        actions: (row) => [
          ...(may('edit') ? [{ key: 'edit', label: t('edit'), run: () => setOpen({ edit: row }) }] : []),
          ...(may('delete')
            ? [
                {
                  key: 'delete',
                  label: t('delete'),
                  danger: true,
                  run: () =>
                    ask(row, (proof) =>
                      call(dataServiceDeleteGroup({ body: { id: row.id, ...proof }, ...audited(row) })),
                    ),
                },
              ]
            : []),
        ],
      },
    ],
    [t, may, ask, setOpen],
  );
}

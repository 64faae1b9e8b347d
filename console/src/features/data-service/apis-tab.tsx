import { lazy, Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  type ApiLine,
  audited,
  call,
  dataServiceDeleteApi,
  dataServicePublishApi,
  dataServiceTakeApiOffline,
} from '@/shared/api';
import { dataServicePageApisList } from '@/shared/api/lists';
import { useMay } from '@/shared/hooks/use-may';
import { notify } from '@/shared/lib/notices';
import { reportFailure } from '@/shared/lib/report-failure';
import { useConfirmDanger } from '@/shared/ui/confirm-danger';
import {
  type Column,
  DataTable,
  MOMENT_WIDTH,
  type RowAction,
  useListFilter,
  useTableState,
} from '@/shared/ui/data-table';
import { Moment } from '@/shared/ui/figures';
import { ListChoice } from '@/shared/ui/list-choice';
import { ListSearch } from '@/shared/ui/list-search';
import { LookMark } from '@/shared/ui/state-tag';
import { AddButton } from './add-button';
import { GROUPS, useApis, useRefresh } from './queries';
import { useDeletion } from './use-deletion';

const ApiDrawer = lazy(() => import('./api-drawer'));
const VersionsDrawer = lazy(() => import('./versions-drawer'));

const PREFIX = 'api-';
const defaults = { search: '', state: '' };
const states = ['draft', 'published', 'changed', 'offline'] as const;
const looks = { draft: 'quiet', published: 'good', changed: 'warning', offline: 'quiet' } as const;
const keyOf = ({ id }: ApiLine) => id;

type Open = { edit?: string } | { versions: ApiLine };

export function ApisTab() {
  const { t } = useTranslation('data-service');
  const state = useTableState(PREFIX);
  const [filter, narrow] = useListFilter('apis', defaults, PREFIX);
  const [open, setOpen] = useState<Open>();
  const query = useApis(state.request, filter);
  const close = () => setOpen(undefined);
  const add = <AddButton menu={GROUPS} label={t('api.add')} onClick={() => setOpen({})} />;
  return (
    <>
      <DataTable
        label={t('api.title')}
        name="apis"
        columns={useColumns(setOpen)}
        list={dataServicePageApisList}
        query={query}
        state={state}
        rowKey={keyOf}
        empty={
          filter.search || filter.state
            ? { title: t('emptyFiltered') }
            : { title: t('api.empty'), hint: t('api.emptyHint'), action: add }
        }
        toolbar={
          <>
            {add}
            <ListSearch
              label={t('api.search')}
              value={filter.search}
              onSearch={(search) => narrow({ search })}
            />
            <ListChoice
              label={t('state')}
              value={filter.state}
              onChange={(wanted) => narrow({ state: wanted })}
              options={[
                { value: '', label: t('anyState') },
                ...states.map((value) => ({ value, label: t(`api.states.${value}`) })),
              ]}
            />
          </>
        }
      />
      <Suspense>
        {open &&
          ('versions' in open ? (
            <VersionsDrawer api={open.versions} onClose={close} />
          ) : (
            <ApiDrawer id={open.edit} onClose={close} />
          ))}
      </Suspense>
    </>
  );
}

function useColumns(setOpen: (open: Open) => void): Column<ApiLine>[] {
  const { t } = useTranslation('data-service');
  const actions = useActions(setOpen);
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
        key: 'path',
        type: 'text',
        title: t('api.path'),
        minWidth: 200,
        length: 60,
        text: (row) => row.path,
      },
      {
        key: 'groupName',
        type: 'text',
        title: t('group.one'),
        minWidth: 130,
        text: (row) => row.groupName,
      },
      {
        key: 'state',
        title: t('state'),
        width: 150,
        text: (row) => t(`api.states.${row.state}`),
        render: (row) => <LookMark look={looks[row.state]} label={t(`api.states.${row.state}`)} />,
      },
      {
        key: 'version',
        type: 'text',
        title: t('api.version'),
        width: 110,
        align: 'right',
        text: (row) => row.version ?? '–',
      },
      {
        key: 'grants',
        type: 'text',
        title: t('api.grants'),
        width: 110,
        align: 'right',
        text: (row) => row.grants,
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
        width: 170,
        fixed: 'right',
        essential: true,
        shown: 2,
        actions,
      },
    ],
    [t, actions],
  );
}

/** What the API's state and the viewer's role allow. */
function useActions(setOpen: (open: Open) => void): (row: ApiLine) => RowAction[] {
  const { t } = useTranslation('data-service');
  const may = useMay(GROUPS);
  const refresh = useRefresh();
  const confirm = useConfirmDanger();
  const ask = useDeletion('api');
  const publish = async ({ id, name }: ApiLine) => {
    const { number } = await call(dataServicePublishApi({ body: { id } })).catch(reportFailure('status'));
    notify('success', t('api.published', { name, number }));
    await refresh();
  };
  const takeOffline = ({ id, name, grants }: ApiLine) =>
    confirm({
      title: t('api.offlineTitle', { name }),
      content: t('api.offlineHint', { count: grants }),
      action: t('api.offline'),
      run: async () => {
        await call(dataServiceTakeApiOffline({ body: { id } })).catch(reportFailure('status'));
        await refresh();
      },
    });
  return (row) => {
    const isServed = row.state === 'published' || row.state === 'changed';
    const actions: (RowAction | false)[] = [
      may('edit') && { key: 'edit', label: t('edit'), run: () => setOpen({ edit: row.id }) },
      may('operate') &&
        row.state !== 'published' && {
          key: 'publish',
          label: t('api.publish'),
          run: () => void publish(row).catch(() => undefined),
        },
      row.versions > 0 && {
        key: 'versions',
        label: t('api.versions'),
        run: () => setOpen({ versions: row }),
      },
      may('operate') &&
        isServed && { key: 'offline', label: t('api.offline'), danger: true, run: () => takeOffline(row) },
      may('delete') && {
        key: 'delete',
        label: t('delete'),
        danger: true,
        ...(isServed ? { refused: t('api.deleteRefused') } : {}),
        run: () =>
          ask(row, (proof) =>
            call(dataServiceDeleteApi({ body: { id: row.id, ...proof }, ...audited(row) })),
          ),
      },
    ];
    return actions.filter((action) => action !== false);
  };
}

import { App } from 'antd';
import { lazy, Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  type AppRecord,
  type AppSecret,
  audited,
  call,
  dataServiceDeleteApp,
  dataServiceRenewSecret,
} from '@/shared/api';
import { dataServicePageAppsList } from '@/shared/api/lists';
import { useMay } from '@/shared/hooks/use-may';
import { reportFailure } from '@/shared/lib/report-failure';
import { useConfirmDanger } from '@/shared/ui/confirm-danger';
import { type Column, DataTable, MOMENT_WIDTH, useListFilter, useTableState } from '@/shared/ui/data-table';
import { Moment } from '@/shared/ui/figures';
import { ListSearch } from '@/shared/ui/list-search';
import { LookMark } from '@/shared/ui/state-tag';
import { AddButton } from './add-button';
import { APPS, useApps, useRefresh } from './queries';
import { SecretShown } from './secret-shown';
import { useDeletion } from './use-deletion';

const AppDrawer = lazy(() => import('./app-drawer'));

const defaults = { search: '' };
const keyOf = ({ id }: AppRecord) => id;

/** Programs that may call APIs. */
export default function AppsPage() {
  const { t } = useTranslation('data-service');
  const state = useTableState();
  const [filter, narrow] = useListFilter('api-apps', defaults);
  const [open, setOpen] = useState<{ edit?: AppRecord }>();
  const show = useSecret();
  const query = useApps(state.request, filter.search);
  const add = <AddButton menu={APPS} label={t('app.add')} onClick={() => setOpen({})} />;
  return (
    <>
      <h1 className="visually-hidden">{t('app.title')}</h1>
      <DataTable
        label={t('app.title')}
        name="api-apps"
        columns={useColumns(setOpen, show)}
        list={dataServicePageAppsList}
        query={query}
        state={state}
        rowKey={keyOf}
        empty={
          filter.search
            ? { title: t('emptyFiltered') }
            : { title: t('app.empty'), hint: t('app.emptyHint'), action: add }
        }
        toolbar={
          <>
            {add}
            <ListSearch
              label={t('app.search')}
              value={filter.search}
              onSearch={(search) => narrow({ search })}
            />
          </>
        }
      />
      <Suspense>
        {open && <AppDrawer edit={open.edit} onSecret={show} onClose={() => setOpen(undefined)} />}
      </Suspense>
    </>
  );
}

/** Shows a new secret, this once. */
function useSecret(): (secret: AppSecret) => void {
  const { t } = useTranslation('data-service');
  const { modal } = App.useApp();
  return (secret) => {
    modal.success({
      title: t('app.secretTitle'),
      content: <SecretShown secret={secret} />,
      width: 640,
      okText: t('app.noted'),
    });
  };
}

/** Gives an app another secret, once that is wanted indeed. */
function useRenewal(show: (secret: AppSecret) => void): (row: AppRecord) => void {
  const { t } = useTranslation('data-service');
  const confirm = useConfirmDanger();
  const refresh = useRefresh();
  return (row) =>
    confirm({
      title: t('app.renewTitle', { name: row.name }),
      content: t('app.renewHint'),
      action: t('app.renew'),
      run: async () => {
        show(await call(dataServiceRenewSecret({ body: { id: row.id } })).catch(reportFailure('modify')));
        await refresh();
      },
    });
}

function useColumns(
  setOpen: (open: { edit: AppRecord }) => void,
  show: (secret: AppSecret) => void,
): Column<AppRecord>[] {
  const { t } = useTranslation('data-service');
  const may = useMay(APPS);
  const ask = useDeletion('app');
  const renew = useRenewal(show);
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
      { key: 'key', type: 'text', title: t('app.key'), minWidth: 260, length: 60, text: (row) => row.key },
      {
        key: 'enabled',
        title: t('state'),
        width: 110,
        text: (row) => t(row.enabled ? 'app.enabled' : 'app.disabled'),
        render: (row) => (
          <LookMark
            look={row.enabled ? 'good' : 'quiet'}
            label={t(row.enabled ? 'app.enabled' : 'app.disabled')}
          />
        ),
      },
      {
        key: 'apis',
        type: 'text',
        title: t('app.apis'),
        width: 110,
        align: 'right',
        text: (row) => row.apis.length,
      },
      {
        key: 'perMinute',
        type: 'text',
        title: t('app.perMinute'),
        width: 130,
        align: 'right',
        text: (row) => row.perMinute ?? t('app.unlimited'),
      },
      {
        key: 'addresses',
        type: 'text',
        title: t('app.addresses'),
        minWidth: 140,
        leaveOut: true,
        text: (row) => row.addresses.join(', ') || t('app.anyAddress'),
      },
      {
        key: 'expiresAt',
        title: t('app.expires'),
        width: MOMENT_WIDTH,
        leaveOut: true,
        text: (row) => row.expiresAt,
        render: (row) => (row.expiresAt ? <Moment at={row.expiresAt} /> : t('app.never')),
      },
      {
        key: 'actions',
        type: 'options',
        title: t('actions'),
        width: 200,
        fixed: 'right',
        essential: true,
        shown: 2,
        actions: (row) => [
          ...(may('edit')
            ? [
                { key: 'edit', label: t('edit'), run: () => setOpen({ edit: row }) },
                { key: 'renew', label: t('app.renew'), run: () => renew(row) },
              ]
            : []),
          ...(may('delete')
            ? [
                {
                  key: 'delete',
                  label: t('delete'),
                  danger: true,
                  run: () =>
                    ask(row, (proof) =>
                      call(dataServiceDeleteApp({ body: { id: row.id, ...proof }, ...audited(row) })),
                    ),
                },
              ]
            : []),
        ],
      },
    ],
    [t, may, ask, renew, setOpen],
  );
}

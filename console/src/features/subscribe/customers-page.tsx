import { lazy, Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { call, type SubscriberRecord } from '@/shared/api';
import { subscribePageCustomersList } from '@/shared/api/lists';
import { useMay } from '@/shared/hooks/use-may';
import { notify } from '@/shared/lib/notices';
import type { Column } from '@/shared/ui/data-table';
import { Moment } from '@/shared/ui/figures';
import { KindButton } from '@/shared/widgets/data-source/kind-button';
import { confirmDelete } from '@/shared/widgets/delete-confirm';
import { useAudience, useWords } from './audience';
import { Counts } from './counts';
import { OfLink } from './of-link';
import { allCustomers, calls, useAsk, useCustomers } from './queries';
import { SearchedList } from './searched-list';
import { type Tested, useCurrentTest } from './use-current-test';

// What is opened by few comes when it is opened.
const MetricsDrawer = lazy(() => import('@/shared/widgets/metrics/metrics-drawer'));
const RenameDrawer = lazy(() => import('./rename-drawer'));

type Named = Pick<SubscriberRecord, 'id' | 'name'>;

/** Who receives: subscribers with their databases, masters and tables. */
export default function CustomersPage() {
  const { t } = useWords();
  const { menu, paths } = useAudience();
  const [renamed, setRenamed] = useState<Named>();
  const [measured, setMeasured] = useState<Named>();
  const [ask, dialog] = useCurrentTest();
  const columns = useColumns(setRenamed, setMeasured, ask);
  const create = (
    <KindButton
      label={t('customer.create')}
      menu={menu}
      use="subscribe"
      to={(kind) => paths.database(kind)}
    />
  );
  return (
    <>
      <SearchedList
        of="customer"
        name="subscribers"
        columns={columns}
        list={subscribePageCustomersList}
        usePage={useCustomers}
        loadAll={allCustomers}
        create={create}
      />
      <Suspense>
        {renamed && <RenameDrawer customer={renamed} onClose={() => setRenamed(undefined)} />}
        {measured && (
          <MetricsDrawer
            kind="customer"
            id={measured.id}
            name={measured.name}
            onClose={() => setMeasured(undefined)}
          />
        )}
      </Suspense>
      {dialog}
    </>
  );
}

function useColumns(
  rename: (customer: Named) => void,
  measure: (customer: Named) => void,
  ask: (tested: Tested) => void,
): Column<SubscriberRecord>[] {
  const { t } = useWords();
  const { clientType, menu, paths } = useAudience();
  const { t: measuring } = useTranslation('metric');
  const may = useMay(menu);
  const navigate = useNavigate();
  const { mutateAsync: remove } = useAsk(
    'delete',
    (body: Parameters<typeof calls.deleteCustomer>[0]['body']) => call(calls.deleteCustomer({ body })),
  );
  return useMemo(
    () => [
      {
        key: 'name',
        title: t('name'),
        minWidth: 160,
        essential: true,
        text: ({ name }) => name,
        render: ({ name, linkId }) => (
          <>
            {name} <OfLink id={linkId} />
          </>
        ),
      },
      {
        key: 'databases',
        title: t('databases'),
        width: 110,
        align: 'right',
        type: 'text',
        text: (row) => row.databases,
      },
      ...(clientType === 'stream' ? [] : applied(t, paths)),
      {
        key: 'createdAt',
        title: t('created'),
        width: 170,
        leaveOut: true,
        text: ({ createdAt }) => createdAt,
        render: ({ createdAt }) => <Moment at={createdAt} />,
      },
      {
        key: 'actions',
        title: t('actions'),
        type: 'options',
        width: 200,
        fixed: 'right',
        essential: true,
        shown: 2,
        actions: ({ id, name, databases, masters, linkId, actions }) => [
          ...(actions.includes('add-master') && may('create')
            ? [
                {
                  key: 'master',
                  label: t('master.create'),
                  run: () => navigate(paths.masters({ add: id })),
                },
              ]
            : []),
          ...(actions.includes('edit') && may('edit')
            ? [
                {
                  key: 'edit',
                  label: t('edit'),
                  run: () => rename({ id, name }),
                },
              ]
            : []),
          ...(clientType === 'stream'
            ? []
            : [{ key: 'metrics', label: measuring('title'), run: () => measure({ id, name }) }]),
          ...(may('edit')
            ? [{ key: 'test', label: t('customer.test'), run: () => ask({ customerId: id }) }]
            : []),
          ...(linkId === null && may('delete')
            ? [
                {
                  key: 'delete',
                  label: t('delete'),
                  danger: true,
                  refused: actions.includes('delete') ? undefined : t('customer.kept', { count: masters }),
                  run: () =>
                    confirmDelete({
                      title: t('customer.deleteTitle', { name }),
                      content: t('customer.deleteHint', { count: databases }),
                      dependants: { deleting: 'subscribe/customer/delete', id: id },
                      isRecycled: true,
                      action: t('delete'),
                      mode: 'post',
                      run: async (proof) => {
                        await remove({ customerId: id, ...proof });
                        notify('success', t('deleted', { name }));
                      },
                    }),
                },
              ]
            : []),
        ],
      },
    ],
    [t, measuring, may, navigate, rename, measure, remove, paths, clientType, ask],
  );
}

/** What customers have whose tables are applied. */
function applied(
  t: ReturnType<typeof useWords>['t'],
  paths: ReturnType<typeof useAudience>['paths'],
): Column<SubscriberRecord>[] {
  return [
    {
      key: 'masters',
      title: t('masters'),
      width: 100,
      align: 'right',
      type: 'text',
      text: (row) => row.masters,
    },
    {
      key: 'channels',
      title: t('channels'),
      width: 100,
      align: 'right',
      type: 'text',
      text: (row) => row.channels,
    },
    {
      key: 'tables',
      title: t('tables'),
      width: 110,
      align: 'right',
      text: ({ tables }) => tables.total,
      render: ({ id, tables }) => <Counts tables={tables} to={paths.sheet({ customer: id })} />,
    },
  ];
}

import { useMemo } from 'react';
import { useNavigate } from 'react-router';
import { call, type DatabaseRecord } from '@/shared/api';
import { subscribePageDatabasesList } from '@/shared/api/lists';
import { useMay } from '@/shared/hooks/use-may';
import { notify } from '@/shared/lib/notices';
import type { Column } from '@/shared/ui/data-table';
import { Moment } from '@/shared/ui/figures';
import { KindButton } from '@/shared/widgets/data-source/kind-button';
import { confirmDelete } from '@/shared/widgets/delete-confirm';
import { Place, placeText } from '@/shared/widgets/sync/place';
import { useAudience, useWords } from './audience';
import { OfLink } from './of-link';
import { allDatabases, calls, useAsk, useDatabases } from './queries';
import { SearchedList } from './searched-list';
import { type Tested, useCurrentTest } from './use-current-test';
import '@/shared/widgets/sync/sync.css';

const narrowedBy = ['customer'] as const;

/** The databases that subscribers receive in. */
export default function DatabasesPage() {
  const { t } = useWords();
  const { menu, paths } = useAudience();
  const [ask, dialog] = useCurrentTest();
  const columns = useColumns(ask);
  const create = (
    <KindButton
      label={t('database.create')}
      menu={menu}
      use="subscribe"
      to={(kind) => paths.database(kind, { customer: '' })}
    />
  );
  return (
    <>
      <SearchedList
        of="database"
        name="subscriber-databases"
        columns={columns}
        list={subscribePageDatabasesList}
        usePage={useDatabases}
        loadAll={allDatabases}
        narrowedBy={narrowedBy}
        create={create}
      />
      {dialog}
    </>
  );
}

function useColumns(ask: (tested: Tested) => void): Column<DatabaseRecord>[] {
  const { t } = useWords();
  const { clientType, menu, paths } = useAudience();
  const may = useMay(menu);
  const navigate = useNavigate();
  const { mutateAsync: remove } = useAsk(
    'delete',
    (body: Parameters<typeof calls.deleteDatabase>[0]['body']) => call(calls.deleteDatabase({ body })),
  );
  return useMemo(
    () => [
      {
        key: 'name',
        title: t('name'),
        minWidth: 140,
        essential: true,
        type: 'text',
        text: ({ name }) => name,
      },
      {
        key: 'customerName',
        title: t('customer.name'),
        minWidth: 190,
        text: ({ customerName }) => customerName,
        render: ({ customerName, linkId }) => (
          <>
            {customerName} <OfLink id={linkId} />
          </>
        ),
      },
      {
        key: 'target',
        title: t('database.place'),
        minWidth: 240,
        text: ({ target }) => placeText(target),
        render: ({ target }) => <Place connection={target} />,
      },
      ...(clientType === 'stream'
        ? []
        : [
            {
              key: 'loadType',
              title: t('master.loadType'),
              width: 90,
              leaveOut: true,
              text: ({ loadType }: DatabaseRecord) => t(`loadType.${loadType}`),
              render: ({ loadType }: DatabaseRecord) => (
                <span title={t('database.loadTypeHint')}>{t(`loadType.${loadType}`)}</span>
              ),
            } as const,
            {
              key: 'masters',
              title: t('masters'),
              width: 100,
              align: 'right',
              type: 'text',
              text: ({ masters }: DatabaseRecord) => masters,
            } as const,
          ]),
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
        width: 190,
        fixed: 'right',
        essential: true,
        shown: 2,
        actions: ({ id, name, customerName, target, masters, linkId, actions }) => [
          ...(actions.includes('edit') && may('edit')
            ? [
                {
                  key: 'edit',
                  label: t('edit'),
                  run: () => navigate(paths.database(target.kind, { id })),
                },
              ]
            : []),
          ...(may('edit')
            ? [{ key: 'test', label: t('database.test'), run: () => ask({ databaseId: id }) }]
            : []),
          ...(linkId === null && may('delete')
            ? [
                {
                  key: 'delete',
                  label: t('delete'),
                  danger: true,
                  refused: actions.includes('delete')
                    ? undefined
                    : t(masters > 0 ? 'database.kept' : 'database.first', { count: masters }),
                  run: () =>
                    confirmDelete({
                      title: t('database.deleteTitle', { name }),
                      content: t('database.deleteHint', { customer: customerName }),
                      dependants: { deleting: 'subscribe/database/delete', id: id },
                      action: t('delete'),
                      mode: 'post',
                      run: async (proof) => {
                        await remove({ databaseId: id, ...proof });
                        notify('success', t('deleted', { name }));
                      },
                    }),
                },
              ]
            : []),
        ],
      },
    ],
    [t, may, navigate, remove, paths, clientType, ask],
  );
}

import { PlusOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { lazy, Suspense, useMemo, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { call, type MasterRecord } from '@/shared/api';
import { subscribePageMastersList } from '@/shared/api/lists';
import { useMay } from '@/shared/hooks/use-may';
import { useUrlState } from '@/shared/hooks/use-url-state';
import { notify } from '@/shared/lib/notices';
import { paths as otherPaths } from '@/shared/pages/paths';
import type { Column, RowAction } from '@/shared/ui/data-table';
import { Moment } from '@/shared/ui/figures';
import { confirmDelete } from '@/shared/widgets/delete-confirm';
import { Place, placeText } from '@/shared/widgets/sync/place';
import type { TableResult } from '@/shared/widgets/sync/results-dialog';
import { useAudience, useWords } from './audience';
import { ChannelList } from './channel-list';
import { Counts } from './counts';
import { OfLink } from './of-link';
import { allMasters, calls, useAsk, useMasters } from './queries';
import { SearchedList } from './searched-list';
import '@/shared/widgets/sync/sync.css';

// What is opened by few comes when it is opened.
const AddTablesDrawer = lazy(() => import('./add-tables-drawer'));
const ChannelDrawer = lazy(() => import('./channel-drawer'));
const MasterDrawer = lazy(() => import('./master-drawer'));
const RebalanceDialog = lazy(() => import('./rebalance-dialog'));
const ResultsDialog = lazy(() => import('@/shared/widgets/sync/results-dialog'));

type Opened =
  | { kind: 'new'; customerId?: string }
  | { kind: 'edit' | 'tables' | 'channel' | 'rebalance'; master: MasterRecord };

/** The subscriber that is to get a master. */
const inAddress = { add: '' };

const narrowedBy = ['customer', 'node'] as const;

/** Masters: what applies a publish node to a subscriber's database, and the channels that do it. */
export default function MastersPage() {
  const { t } = useWords();
  const may = useMay(useAudience().menu);
  const [{ add: asked }, setAddress] = useUrlState(inAddress);
  const [opened, setOpened] = useState<Opened | undefined>(
    asked ? { kind: 'new', customerId: asked } : undefined,
  );
  const [results, setResults] = useState<readonly TableResult[]>();
  const columns = useColumns(setOpened);
  const close = () => {
    setOpened(undefined);
    if (asked) setAddress({ add: '' });
  };
  const create = may('create') && (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => setOpened({ kind: 'new' })}>
      {t('master.create')}
    </Button>
  );
  return (
    <>
      <SearchedList
        of="master"
        name="masters"
        columns={columns}
        list={subscribePageMastersList}
        usePage={useMasters}
        loadAll={allMasters}
        narrowedBy={narrowedBy}
        create={create}
        expand={channelsOf}
      />
      <Suspense>
        {opened?.kind === 'new' && <MasterDrawer customerId={opened.customerId} onClose={close} />}
        {opened?.kind === 'edit' && <MasterDrawer master={opened.master} onClose={close} />}
        {opened?.kind === 'channel' && <ChannelDrawer master={opened.master} onClose={close} />}
        {opened?.kind === 'tables' && (
          <AddTablesDrawer master={opened.master} onResults={setResults} onClose={close} />
        )}
        {opened?.kind === 'rebalance' && (
          <RebalanceDialog master={opened.master} onResults={setResults} onClose={close} />
        )}
        {results && <ResultsDialog results={results} onClose={() => setResults(undefined)} />}
      </Suspense>
    </>
  );
}

const channelsOf = ({ id, linkId }: MasterRecord) => (
  <ChannelList controlId={id} isSteered={linkId !== null} />
);

function useColumns(open: (opened: Opened) => void): Column<MasterRecord>[] {
  const { t } = useWords();
  const { paths } = useAudience();
  const actions = useActions(open);
  return useMemo(
    () => [
      {
        key: 'name',
        title: t('name'),
        // Room for the way to its link.
        minWidth: 190,
        essential: true,
        text: ({ name }) => name,
        render: ({ name, linkId }) => (
          <>
            {name} <OfLink id={linkId} />
          </>
        ),
      },
      {
        key: 'customerName',
        title: t('customer.name'),
        minWidth: 100,
        type: 'text',
        text: ({ customerName }) => customerName,
      },
      {
        key: 'nodeName',
        title: t('node'),
        minWidth: 110,
        text: ({ nodeName }) => nodeName,
        render: ({ nodeName, nodeMaster, sourceKind }) => (
          <Link to={otherPaths.publishNode(sourceKind, nodeMaster)}>{nodeName}</Link>
        ),
      },
      {
        key: 'target',
        title: t('database.place'),
        minWidth: 150,
        text: ({ target }) => placeText(target),
        render: ({ target }) => <Place connection={target} />,
      },
      {
        key: 'loadType',
        title: t('master.loadType'),
        width: 90,
        leaveOut: true,
        text: ({ loadType }) => t(`loadType.${loadType}`),
        render: ({ loadType }) => <span title={t('master.loadTypeHint')}>{t(`loadType.${loadType}`)}</span>,
      },
      {
        key: 'channels',
        title: t('channels'),
        width: 90,
        align: 'right',
        type: 'text',
        text: ({ channels }) => channels,
      },
      {
        key: 'tables',
        title: t('tables'),
        width: 100,
        align: 'right',
        text: ({ tables }) => tables.total,
        render: ({ id, tables }) => <Counts tables={tables} to={paths.sheet({ control: id })} />,
      },
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
        width: 160,
        fixed: 'right',
        essential: true,
        shown: 1,
        actions,
      },
    ],
    [t, actions, paths],
  );
}

/** What the server allows of a master and the viewer may do. */
function useActions(open: (opened: Opened) => void): (master: MasterRecord) => readonly RowAction[] {
  const { t } = useWords();
  const { menu, paths } = useAudience();
  const may = useMay(menu);
  const navigate = useNavigate();
  const { mutateAsync: remove } = useAsk('delete', (body: Parameters<typeof calls.deleteMaster>[0]['body']) =>
    call(calls.deleteMaster({ body })),
  );
  return useMemo(
    () => (master: MasterRecord) => {
      const { id, name, actions, tables, channels } = master;
      const ask = () =>
        confirmDelete({
          title: t('master.deleteTitle', { name }),
          content: t('master.deleteHint', { tables: tables.total, channels }),
          dependants: { deleting: 'subscribe/control/delete', id: id },
          action: t('delete'),
          isRecycled: true,
          mode: 'post',
          run: async (proof) => {
            await remove({ controlId: id, ...proof });
            notify('success', t('deleted', { name }));
          },
        });
      const offered: (RowAction & {
        verb?: (typeof actions)[number];
        needs?: 'create' | 'edit' | 'operate' | 'delete';
      })[] = [
        {
          key: 'tables',
          verb: 'add-tables',
          needs: 'create',
          label: t('sheet.add'),
          run: () => open({ kind: 'tables', master }),
        },
        { key: 'sheet', label: t('place.sheet'), run: () => navigate(paths.sheet({ control: id })) },
        {
          key: 'channel',
          verb: 'add-channel',
          needs: 'create',
          label: t('channel.create'),
          run: () => open({ kind: 'channel', master }),
        },
        {
          key: 'rebalance',
          verb: 'rebalance',
          needs: 'operate',
          label: t('move.rebalance'),
          run: () => open({ kind: 'rebalance', master }),
        },
        {
          key: 'edit',
          verb: 'edit',
          needs: 'edit',
          label: t('edit'),
          run: () => open({ kind: 'edit', master }),
        },
        { key: 'delete', verb: 'delete', needs: 'delete', label: t('delete'), danger: true, run: ask },
      ];
      return offered.filter(({ verb, needs }) => (!verb || actions.includes(verb)) && (!needs || may(needs)));
    },
    [t, may, navigate, open, remove, paths],
  );
}

import { PlusOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { lazy, Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { ClusterRecord, JoinOffer } from '@/shared/api';
import { clusterPageList } from '@/shared/api/lists';
import { useMay } from '@/shared/hooks/use-may';
import { useUrlState } from '@/shared/hooks/use-url-state';
import { paths } from '@/shared/pages/paths';
import { type Column, DataTable, MOMENT_WIDTH, pageSizes, useTableState } from '@/shared/ui/data-table';
import { Count, Moment } from '@/shared/ui/figures';
import { LiveMark } from '@/shared/ui/live-mark';
import { SearchForm } from '@/shared/ui/search-form';
import { StateTag } from '@/shared/ui/state-tag';
import { allContainers, useContainerPage } from './queries';
import { useContainerActions } from './use-actions';

const ContainerDrawer = lazy(() => import('./container-drawer'));
const JoinDialog = lazy(() => import('./join-dialog'));

/** The specification's size of this list. */
const PAGE_SIZE = 100;

const filterDefaults = { containerName: '', displayName: '', status: '', current: 1 };

const keyOf = (container: ClusterRecord) => container.id;

export default function ContainerPage() {
  const { t } = useTranslation('container');
  const may = useMay('container');
  const state = useTableState('', pageSizes, PAGE_SIZE);
  const [filter, setFilter] = useUrlState(filterDefaults);
  const [form, setForm] = useState<{ edit?: ClusterRecord }>();
  const [offer, setOffer] = useState<JoinOffer>();
  const query = useContainerPage(state.request, filter);
  const columns = useColumns(setForm, setOffer);
  const isFiltered = filter.containerName !== '' || filter.displayName !== '' || filter.status !== '';
  return (
    <>
      <h1 className="visually-hidden">{t('title')}</h1>
      <SearchForm
        fields={[
          { name: 'containerName', label: t('name') },
          { name: 'displayName', label: t('displayName') },
          {
            name: 'status',
            label: t('status'),
            options: [
              { value: '', label: t('anyStatus') },
              { value: '1', label: t('online') },
              { value: '0', label: t('offline') },
            ],
          },
        ]}
        values={{
          containerName: filter.containerName,
          displayName: filter.displayName,
          status: filter.status,
        }}
        onSearch={(values) => setFilter({ ...values, current: 1 })}
      />
      <DataTable
        label={t('title')}
        name="containers"
        columns={columns}
        list={clusterPageList}
        query={query}
        state={state}
        rowKey={keyOf}
        loadAll={() => allContainers(state.request, filter)}
        empty={isFiltered ? { title: t('emptyFiltered') } : { title: t('empty'), hint: t('emptyHint') }}
        toolbar={
          may('create') && (
            <Button type="primary" icon={<PlusOutlined />} onClick={() => setForm({})}>
              {t('add')}
            </Button>
          )
        }
        extra={<LiveMark query={query} />}
      />
      <Suspense>
        {form && <ContainerDrawer edit={form.edit} onAdded={setOffer} onClose={() => setForm(undefined)} />}
        {offer && <JoinDialog offer={offer} onClose={() => setOffer(undefined)} />}
      </Suspense>
    </>
  );
}

function useColumns(
  setForm: (form: { edit: ClusterRecord }) => void,
  setOffer: (offer: JoinOffer) => void,
): Column<ClusterRecord>[] {
  const { t } = useTranslation('container');
  const actions = useContainerActions({ onEdit: (edit) => setForm({ edit }), onOffer: setOffer });
  return useMemo(
    () => [
      {
        key: 'containerName',
        title: t('name'),
        minWidth: 110,
        essential: true,
        text: ({ containerName }) => containerName,
        render: ({ id, containerName }) => <Link to={paths.container(id)}>{containerName}</Link>,
      },
      {
        key: 'displayName',
        type: 'text',
        title: t('displayName'),
        minWidth: 110,
        text: ({ displayName }) => displayName,
      },
      {
        key: 'status',
        title: t('status'),
        width: 120,
        text: ({ status }) => t(status === 1 ? 'online' : 'offline'),
        render: (container) => <ContainerState container={container} />,
      },
      {
        key: 'hosts',
        title: t('hosts'),
        width: 120,
        align: 'right',
        text: ({ hostsOnline, hosts }) => `${hostsOnline} / ${hosts}`,
        render: ({ hostsOnline, hosts }) => (
          <>
            <Count value={hostsOnline} /> / <Count value={hosts} />
          </>
        ),
      },
      ...(['services', 'servicesRunning', 'servicesAbnormal'] as const).map((key) => ({
        key,
        type: 'text' as const,
        title: t(key),
        width: 105,
        align: 'right' as const,
        leaveOut: key === 'servicesRunning',
        text: (container: ClusterRecord) => container[key],
      })),
      {
        key: 'customerName',
        type: 'text',
        title: t('tenant'),
        width: 130,
        leaveOut: true,
        text: ({ customerName }) => customerName ?? t('everyTenant'),
      },
      {
        key: 'description',
        type: 'text',
        title: t('description'),
        minWidth: 120,
        leaveOut: true,
        text: ({ description }) => description,
      },
      {
        key: 'createdAt',
        title: t('createdAt'),
        width: MOMENT_WIDTH,
        leaveOut: true,
        text: ({ createdAt }) => createdAt,
        render: ({ createdAt }) => <Moment at={createdAt} />,
      },
      {
        key: 'actions',
        type: 'options',
        title: t('actions'),
        width: 190,
        fixed: 'right',
        essential: true,
        actions,
      },
    ],
    [t, actions],
  );
}

/** Whether a container has a host with contact. */
/** The state of a container: that of its hosts. */
export function stateOf(container: Pick<ClusterRecord, 'status' | 'hosts'>): string {
  if (container.status === 1) return 'connected';
  return container.hosts > 0 ? 'disconnected' : 'not-started';
}

export function ContainerState({ container }: { container: Pick<ClusterRecord, 'status' | 'hosts'> }) {
  return <StateTag state={stateOf(container)} />;
}

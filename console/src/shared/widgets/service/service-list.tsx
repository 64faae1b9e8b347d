import { PlusOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { lazy, Suspense, useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ManagedService } from '@/shared/api';
import { servicePageList } from '@/shared/api/lists';
import { useMay } from '@/shared/hooks/use-may';
import { DataTable, useChosenRows, useListFilter, useTableState } from '@/shared/ui/data-table';
import { ListChoice } from '@/shared/ui/list-choice';
import { ListSearch } from '@/shared/ui/list-search';
import { LiveMark } from '@/shared/ui/live-mark';
import { useStateLabel } from '@/shared/ui/state-tag';
import { Attempts } from './attempts';
import { BulkActions } from './bulk-actions';
import { serviceTitle, serviceTypes } from './kinds';
import { allServices, MENU_KEY, useServices } from './queries';
import { useColumns } from './use-columns';
import { type Opened, useServiceActions } from './use-service-actions';
import { useSteering } from './use-steering';
import './service.css';

// What is opened by few comes when it is opened.
const AddDrawer = lazy(() => import('./add-drawer'));
const EditDrawer = lazy(() => import('./edit-drawer'));
const LogDrawer = lazy(() => import('@/shared/widgets/machine/log-drawer'));
const LogTerminal = lazy(async () => ({
  default: (await import('@/shared/widgets/machine/log-drawer')).LogTerminal,
}));
const MetricsDrawer = lazy(() => import('@/shared/widgets/metrics/metrics-drawer'));
const PlaceDrawer = lazy(() => import('./place-drawer'));
const TransferDrawer = lazy(() => import('./transfer-drawer'));

const filterDefaults = { search: '', status: '', type: '' };

const states = [
  'stopped',
  'not-running',
  'starting',
  'started',
  'normal',
  'stopping',
  'restarting',
  'abnormal',
  'software-expired',
] as const;

const keyOf = (row: ManagedService) => row.id;

interface Props {
  /** Only those of this container. */
  containerId?: string;
}

/** Services: what each should do, what was seen of it, and what can be asked of it. */
export default function ServiceList({ containerId = '' }: Props) {
  const { t } = useTranslation('service');
  const name = containerId ? 'container-services' : 'services';
  const state = useTableState();
  const [filter, narrow] = useListFilter(name, filterDefaults);
  const query = useServices(state.request, filter, containerId);
  const { rows: chosen, keys, choose } = useChosenRows(query.data?.records, keyOf, '');
  const [opened, setOpened] = useState<Opened>();
  const { steer, results } = useSteering();
  const everyColumn = useColumns(useServiceActions(steer, setOpened));
  const columns = useMemo(
    () => everyColumn.filter(({ key }) => !containerId || key !== 'containerName'),
    [everyColumn, containerId],
  );
  const close = useCallback(() => setOpened(undefined), []);
  const isFiltered = Object.values(filter).some((value) => value !== '');
  return (
    <>
      <DataTable
        label={t('title')}
        name={name}
        columns={columns}
        list={servicePageList}
        query={query}
        state={state}
        rowKey={keyOf}
        selection={{ keys, onChange: choose }}
        expand={attemptsOf}
        loadAll={() => allServices(state.request, filter, containerId)}
        empty={isFiltered ? { title: t('emptyFiltered') } : { title: t('empty'), hint: t('emptyHint') }}
        toolbar={
          <>
            <AddButton onClick={() => setOpened({ kind: 'add' })} />
            <BulkActions rows={chosen} steer={steer} open={setOpened} />
            <Filters filter={filter} narrow={narrow} />
          </>
        }
        extra={<LiveMark query={query} />}
      />
      {results}
      <Suspense fallback={null}>{opened && <OpenedPart opened={opened} onClose={close} />}</Suspense>
    </>
  );
}

const attemptsOf = (row: ManagedService) => <Attempts id={row.id} reason={row.reason} />;

function AddButton({ onClick }: { onClick: () => void }) {
  const { t } = useTranslation('service');
  if (!useMay(MENU_KEY)('create')) return null;
  return (
    <Button type="primary" icon={<PlusOutlined />} onClick={onClick}>
      {t('add')}
    </Button>
  );
}

interface FiltersProps {
  filter: typeof filterDefaults;
  narrow: (change: Partial<typeof filterDefaults>) => void;
}

function Filters({ filter, narrow }: FiltersProps) {
  const { t } = useTranslation('service');
  const label = useStateLabel();
  return (
    <>
      <ListSearch label={t('search')} value={filter.search} onSearch={(search) => narrow({ search })} />
      <ListChoice
        label={t('type')}
        value={filter.type}
        onChange={(type) => narrow({ type })}
        options={[
          { value: '', label: t('anyType') },
          ...serviceTypes.map((value) => ({ value, label: serviceTitle(value) })),
        ]}
      />
      <ListChoice
        label={t('state')}
        value={filter.status}
        onChange={(status) => narrow({ status })}
        options={[
          { value: '', label: t('anyState') },
          ...states.map((value) => ({ value, label: label(value) })),
        ]}
      />
    </>
  );
}

function OpenedPart({ opened, onClose }: { opened: Opened; onClose: () => void }) {
  if (opened.kind === 'add') return <AddDrawer onClose={onClose} />;
  if (opened.kind === 'edit') return <EditDrawer service={opened.service} onClose={onClose} />;
  if (opened.kind === 'place') return <PlaceDrawer services={opened.services} onClose={onClose} />;
  if (opened.kind === 'transfer') return <TransferDrawer services={opened.services} onClose={onClose} />;
  const { id, serviceName: name } = opened.service;
  const source = { kind: 'service', id, name } as const;
  if (opened.kind === 'metrics') return <MetricsDrawer {...source} onClose={onClose} />;
  if (opened.kind === 'log-search') return <LogDrawer source={source} onClose={onClose} />;
  return <LogTerminal source={source} onClose={onClose} />;
}

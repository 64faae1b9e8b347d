import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { MonitorRecord } from '@/shared/api';
import { linkMonitorPageList } from '@/shared/api/lists';
import { DataTable, useListFilter, useTableState } from '@/shared/ui/data-table';
import { ListState } from '@/shared/ui/list-state';
import { LiveMark } from '@/shared/ui/live-mark';
import { NewLinkButton } from '@/shared/widgets/sync/new-link-button';
import { type OpenedHop, useMonitorColumns } from './columns';
import { allMonitored, useMonitor } from './queries';
import './link-monitor.css';
import '@/shared/widgets/sync/sync.css';

const MetricsDrawer = lazy(() => import('@/shared/widgets/metrics/metrics-drawer'));

const defaults = { search: '', state: '' };
const states = ['beating', 'standing', 'unmeasured', 'stopped'] as const;
const keyOf = ({ id }: MonitorRecord) => id;

export default function LinkMonitorPage() {
  const { t } = useTranslation('link-monitor');
  const state = useTableState();
  const [filter, narrow] = useListFilter('link-monitor', defaults);
  const query = useMonitor(state.request, filter);
  const [opened, open] = useState<OpenedHop>();
  const columns = useMonitorColumns(open);
  const isFiltered = filter.search !== '' || filter.state !== '';
  return (
    <>
      <h1 className="visually-hidden">{t('title')}</h1>
      <DataTable
        label={t('title')}
        name="link-monitor"
        columns={columns}
        list={linkMonitorPageList}
        query={query}
        state={state}
        rowKey={keyOf}
        loadAll={() => allMonitored(state.request, filter)}
        empty={
          isFiltered
            ? { title: t('emptyFiltered') }
            : { title: t('empty'), hint: t('emptyHint'), action: <NewLinkButton label={t('create')} /> }
        }
        toolbar={
          <ListState
            words={{ search: t('search'), state: t('stateFilter'), any: t('anyState') }}
            states={states}
            filter={filter}
            narrow={narrow}
          />
        }
        extra={<LiveMark query={query} />}
      />
      <Suspense fallback={null}>
        {opened && <MetricsDrawer kind="service" {...opened} onClose={() => open(undefined)} />}
      </Suspense>
    </>
  );
}

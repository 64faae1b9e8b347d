import { Alert, Tabs } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import type { ClusterDetail, ClusterStatistics, ExceptionKindCount, JoinOffer } from '@/shared/api';
import { useMay } from '@/shared/hooks/use-may';
import { useUrlState } from '@/shared/hooks/use-url-state';
import { bytes } from '@/shared/lib/figures';
import { usePageTitle } from '@/shared/pages/page-context';
import { paths } from '@/shared/pages/paths';
import { ErrorState } from '@/shared/ui/error-state';
import { Count, KeyFigure, KeyFigures } from '@/shared/ui/figures';
import { LiveMark } from '@/shared/ui/live-mark';
import { LoadingState } from '@/shared/ui/loading-state';
import { PageHead } from '@/shared/ui/page-head';
import { RefusableButton } from '@/shared/ui/refusable-button';
import { usePageState } from '@/shared/ui/state-tag';
import { HostsCard } from './hosts-card';
import { ContainerState, stateOf } from './list-page';
import { useContainer, useContainerStatistics } from './queries';
import { ServiceCounts } from './service-counts';
import { useContainerActions } from './use-actions';
import './container.css';

const ContainerDrawer = lazy(() => import('./container-drawer'));
const PropertiesTab = lazy(() => import('./properties-tab'));
const MetricsView = lazy(() => import('@/shared/widgets/metrics'));
const ServiceList = lazy(() => import('@/shared/widgets/service/service-list'));
const JoinDialog = lazy(() => import('./join-dialog'));

const allTabs = ['hosts', 'services', 'metrics', 'properties'] as const;
type Tab = (typeof allTabs)[number];

const defaults = { tab: 'hosts' };

export default function ContainerDetailPage() {
  const { id = '' } = useParams();
  const query = useContainer(id);
  usePageTitle(query.data?.displayName);
  usePageState(query.data && { state: stateOf(query.data) });
  if (query.data) return <ContainerView container={query.data} query={query} />;
  if (query.error) return <ErrorState isPage error={query.error} onRetry={query.refetch} />;
  return <LoadingState rows={10} />;
}

interface ViewProps {
  container: ClusterDetail;
  query: ReturnType<typeof useContainer>;
}

function ContainerView({ container, query }: ViewProps) {
  const navigate = useNavigate();
  const [isEditing, setEditing] = useState(false);
  const [offer, setOffer] = useState<JoinOffer>();
  const { t } = useTranslation('container');
  const { data } = useContainerStatistics(container.id);
  const [{ tab }, setUrl] = useUrlState(defaults);
  const maySee = useMay('system/service_management');
  const tabs = allTabs.filter((name) => name !== 'services' || maySee('view'));
  const shown = tabs.find((name) => name === tab) ?? 'hosts';
  const actions = useContainerActions({
    onEdit: () => setEditing(true),
    onOffer: setOffer,
    onDeleted: () => navigate(paths.containers()),
  })(container);
  return (
    <div className="container-detail">
      <div className="card">
        <PageHead
          title={container.displayName}
          marks={
            <>
              <ContainerState container={container} />
              <LiveMark query={query} />
            </>
          }
          actions={actions.map(({ key, label, danger, refused, run }) => (
            <RefusableButton
              key={key}
              type={key === 'join' ? 'primary' : 'default'}
              danger={danger ?? false}
              refused={refused}
              onClick={run}
            >
              {label}
            </RefusableButton>
          ))}
        >
          <About container={container} />
        </PageHead>
        {data && <Exceptions exceptions={data.exceptions} />}
        {data && <Figures figures={data.figures} />}
      </div>
      <Tabs
        className="container-tabs"
        activeKey={shown}
        onChange={(key) => setUrl({ tab: key })}
        destroyOnHidden
        items={tabs.map((name) => ({
          key: name,
          label: t(`tabs.${name}`),
          children: (
            <Suspense fallback={<LoadingState rows={8} />}>
              <TabContent tab={name} container={container} statistics={data} />
            </Suspense>
          ),
        }))}
      />
      <Suspense>
        {isEditing && <ContainerDrawer edit={container} onClose={() => setEditing(false)} />}
        {offer && <JoinDialog offer={offer} onClose={() => setOffer(undefined)} />}
      </Suspense>
    </div>
  );
}

interface TabProps {
  tab: Tab;
  container: ClusterDetail;
  statistics: ReturnType<typeof useContainerStatistics>['data'];
}

function TabContent({ tab, container, statistics }: TabProps) {
  if (tab === 'services') return <ServiceList containerId={container.id} />;
  if (tab === 'metrics')
    return <MetricsView kind="container" id={container.id} name={container.displayName} />;
  if (tab === 'properties') return <PropertiesTab container={container} />;
  return (
    <div className="container-detail">
      <HostsCard hosts={container.agents} />
      {statistics && <ServiceCounts counts={statistics.services} />}
    </div>
  );
}

function About({ container }: { container: ClusterDetail }) {
  const { t } = useTranslation('container');
  const parts = [
    container.containerName,
    container.customerName ?? t('everyTenant'),
    t(container.movesServices ? 'moves' : 'movesNot'),
    container.description,
  ];
  return <p className="container-quiet">{parts.filter(Boolean).join(' · ')}</p>;
}

function Exceptions({ exceptions }: { exceptions: readonly ExceptionKindCount[] }) {
  const { t } = useTranslation('container');
  if (exceptions.length === 0) return null;
  const reported = exceptions.map(({ kind, count }) => t(`exception.${kind}`, { count }));
  return <Alert type="warning" showIcon title={reported.join(' · ')} />;
}

function Figures({ figures }: { figures: ClusterStatistics }) {
  const { t } = useTranslation('container');
  const { cpuPercent, memoryUsed, memoryTotal, diskUsed, diskTotal } = figures;
  return (
    <KeyFigures>
      <KeyFigure label={t('hosts')}>
        <Count value={figures.hostsOnline} /> / <Count value={figures.hosts} />
      </KeyFigure>
      <KeyFigure label={t('cpu')}>{cpuPercent === null ? '–' : `${cpuPercent.toFixed(1)}%`}</KeyFigure>
      <KeyFigure label={t('memory')}>
        {bytes(memoryUsed)} / {bytes(memoryTotal)}
      </KeyFigure>
      <KeyFigure label={t('disk')}>
        {bytes(diskUsed)} / {bytes(diskTotal)}
      </KeyFigure>
      <KeyFigure label={t('services')}>
        <Count value={figures.services} />
      </KeyFigure>
      <KeyFigure label={t('servicesRunning')}>
        <Count value={figures.servicesRunning} />
      </KeyFigure>
      <KeyFigure label={t('servicesAbnormal')}>
        <Count value={figures.servicesAbnormal} />
      </KeyFigure>
      <KeyFigure label={t('servicesStopped')}>
        <Count value={figures.servicesStopped} />
      </KeyFigure>
    </KeyFigures>
  );
}

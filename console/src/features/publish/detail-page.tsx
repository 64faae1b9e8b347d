import { Alert, Tabs } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import type { NodeInfo, NodeMoment } from '@/shared/api';
import type { ReportTotals } from '@/shared/hooks/use-totals';
import { useUrlState } from '@/shared/hooks/use-url-state';
import { bytes, duration, time } from '@/shared/lib/figures';
import { usePageTitle } from '@/shared/pages/page-context';
import { paths } from '@/shared/pages/paths';
import { ErrorState } from '@/shared/ui/error-state';
import { Count, KeyFigure, KeyFigures } from '@/shared/ui/figures';
import { LiveMark } from '@/shared/ui/live-mark';
import { LoadingState } from '@/shared/ui/loading-state';
import { PageHead } from '@/shared/ui/page-head';
import type { StateFacts } from '@/shared/ui/state-hint';
import { StateTag, usePageState } from '@/shared/ui/state-tag';
import { Place } from '@/shared/widgets/sync/place';
import { ReasonAlert, StaleAlert } from '@/shared/widgets/sync/state-alerts';
import { NodeActions } from './node-actions';
import { useNode } from './queries';
import { TablesTab } from './tables-tab';
import { PublishTally } from './tally';
import { TopicsTab } from './topics-tab';
import '@/shared/widgets/sync/sync.css';

const MetricsView = lazy(() => import('@/shared/widgets/metrics'));

const tabs = ['tables', 'topics', 'metrics'] as const;
const defaults = { tab: 'tables' };

export default function PublishDetailPage() {
  const { id = '' } = useParams();
  const query = useNode(id);
  usePageTitle(query.data?.name);
  // Head and list of tables show one moment: while the list is there, its own.
  const [totals, setTotals] = useState<NodeMoment>();
  const node = query.data && { ...query.data, ...totals };
  usePageState(node && factsOf(node));
  if (node) return <NodeView node={node} query={query} onTotals={setTotals} />;
  if (query.error) return <ErrorState isPage error={query.error} onRetry={query.refetch} />;
  return <LoadingState rows={10} />;
}

function factsOf({ state, reason, heldUp, stateSince }: NodeInfo): StateFacts {
  return { state, reason, heldUp, since: stateSince };
}

interface Props {
  node: NodeInfo;
  query: ReturnType<typeof useNode>;
  onTotals: ReportTotals<NodeMoment>;
}

function NodeView({ node, query, onTotals }: Props) {
  const { t } = useTranslation(['publish', 'metric']);
  const navigate = useNavigate();
  const [{ tab }, setUrl] = useUrlState(defaults);
  return (
    <div className="sync-detail">
      <div className="card">
        <PageHead
          title={node.name}
          marks={
            <>
              <StateTag {...factsOf(node)} />
              <LiveMark query={query} />
            </>
          }
          actions={<NodeActions node={node} onDeleted={() => navigate(paths.publishNodes())} />}
        >
          <p>
            <Place connection={node.source} />
          </p>
        </PageHead>
        {node.stale && <StaleAlert at={time(node.asOf)} />}
        {node.reason && (
          <ReasonAlert reason={node.reason} state={node.state === 'abnormal' ? 'error' : node.state} />
        )}
        {node.linkName && (
          <Alert
            type="info"
            showIcon
            title={t('detail.ofLink', { link: node.linkName })}
            className="sync-alert"
          />
        )}
        <Figures node={node} />
      </div>
      <Tabs
        className="page-tabs"
        activeKey={tabs.find((name) => name === tab) ?? 'tables'}
        onChange={(key) => setUrl({ tab: key })}
        destroyOnHidden
        items={[
          {
            key: 'tables',
            label: t('detail.tables'),
            children: <TablesTab key={node.id} node={node} onTotals={onTotals} />,
          },
          { key: 'topics', label: t('detail.topics'), children: <TopicsTab nodeMaster={node.id} /> },
          {
            key: 'metrics',
            label: t('metric:title'),
            children: (
              <Suspense fallback={<LoadingState rows={8} />}>
                <MetricsView kind="node" id={node.id} name={node.name} />
              </Suspense>
            ),
          },
        ]}
      />
    </div>
  );
}

function Figures({ node }: { node: NodeInfo }) {
  const { t } = useTranslation('publish');
  return (
    <KeyFigures>
      <KeyFigure label={t('list.tables')}>
        <PublishTally tables={node.tables} />
      </KeyFigure>
      <KeyFigure label={t('list.subscribers')}>
        <Count value={node.subscribers} />
      </KeyFigure>
      <KeyFigure label={t('list.lag')}>{duration(node.lagMs)}</KeyFigure>
      <KeyFigure label={t('list.backlog')}>{bytes(node.backlogBytes)}</KeyFigure>
      <KeyFigure label={t('detail.position')}>{node.service.position || '–'}</KeyFigure>
      <KeyFigure label={t('list.container')}>{node.containerName}</KeyFigure>
      <KeyFigure label={t('detail.host')}>{node.service.agentHost ?? '–'}</KeyFigure>
      <KeyFigure label={t('config.retention')}>{t('detail.hours', { count: node.retentionHours })}</KeyFigure>
      <KeyFigure label={t('config.heldLog')}>
        {node.heldLogGb ? `${node.heldLogGb} GiB` : t('detail.noLimit')}
      </KeyFigure>
    </KeyFigures>
  );
}

import { Button, Tabs } from 'antd';
import { lazy, Suspense, useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import type { LinkDetail, TaskTotals, TimelineEntry } from '@/shared/api';
import { useMay } from '@/shared/hooks/use-may';
import type { ReportTotals } from '@/shared/hooks/use-totals';
import { useUrlState } from '@/shared/hooks/use-url-state';
import { duration, rate, time } from '@/shared/lib/figures';
import { usePageTitle } from '@/shared/pages/page-context';
import { paths } from '@/shared/pages/paths';
import { ErrorState } from '@/shared/ui/error-state';
import { KeyFigure, KeyFigures, Moment } from '@/shared/ui/figures';
import { LiveMark } from '@/shared/ui/live-mark';
import { LoadingState } from '@/shared/ui/loading-state';
import { PageHead } from '@/shared/ui/page-head';
import type { StateFacts } from '@/shared/ui/state-hint';
import { StateTag, usePageState } from '@/shared/ui/state-tag';
import { useErrorTab } from '@/shared/widgets/sync/errors/use-error-tab';
import { FailedTablesAlert, RowErrorsAlert, WarningAlerts } from '@/shared/widgets/sync/faults';
import { LinkActions } from '@/shared/widgets/sync/link-actions';
import { PaceMark } from '@/shared/widgets/sync/pace-mark';
import { Route } from '@/shared/widgets/sync/place';
import { ReasonAlert, StaleAlert } from '@/shared/widgets/sync/state-alerts';
import { TableList } from '@/shared/widgets/sync/table-list';
import { TableTally } from '@/shared/widgets/sync/table-tally';
import { ExportButton } from './export-button';
import { useLink } from './queries';
import { ServicesTab } from './services-tab';
import '@/shared/widgets/sync/sync.css';
import './sync-link.css';
import { linkErrors } from '@/shared/widgets/sync/errors/source';

// What is in the other tabs comes with them.
const ErrorList = lazy(() => import('@/shared/widgets/sync/errors/error-list'));
const MetricsView = lazy(() => import('@/shared/widgets/metrics'));
const TimelineView = lazy(() => import('@/shared/widgets/timeline'));
const LogSearchView = lazy(() => import('@/shared/widgets/logs'));
const ConfigurationTab = lazy(() => import('./configuration-tab'));

const tabs = ['tables', 'metrics', 'timeline', 'errors', 'logs', 'configuration', 'services'] as const;
type Tab = (typeof tabs)[number];

const defaults = { tab: 'tables' };

export default function SyncLinkConfigPage() {
  const { id = '' } = useParams();
  const query = useLink(id);
  usePageTitle(query.data?.name);
  // Head and list of tables show one moment: while the list is there, its own.
  const [totals, setTotals] = useState<TaskTotals>();
  const link = query.data && { ...query.data, ...totals };
  usePageState(link && factsOf(link));
  if (link) return <LinkView link={link} query={query} onTotals={setTotals} />;
  if (query.error) return <ErrorState isPage error={query.error} onRetry={query.refetch} />;
  return <LoadingState rows={10} />;
}

function factsOf({ state, reason, heldUp, tables, warnings }: LinkDetail): StateFacts {
  return {
    state,
    reason,
    heldUp,
    rowErrors: tables.rowErrors,
    differingTables: tables.differing,
    failedTables: tables.error,
    warnings: warnings.length,
  };
}

interface ViewProps {
  link: LinkDetail;
  query: ReturnType<typeof useLink>;
  onTotals: ReportTotals<TaskTotals>;
}

function LinkView({ link, query, onTotals }: ViewProps) {
  const { t } = useTranslation(['sync-link', 'metric']);
  const navigate = useNavigate();
  const [{ tab }, setUrl] = useUrlState(defaults);
  const shown: Tab = tabs.find((name) => name === tab) ?? 'tables';
  return (
    <div className="sync-detail">
      <div className="card">
        <PageHead
          title={link.name}
          marks={
            <>
              <StateTag {...factsOf(link)} />
              <PaceMark pace={link.pace} />
              <LiveMark query={query} />
            </>
          }
          actions={
            <>
              <Button onClick={() => navigate(paths.syncTask(link.taskId))}>{t('detail.task')}</Button>
              <ExportButton link={link} />
              <LinkActions link={link} onDeleted={() => navigate(paths.syncLinks())} />
            </>
          }
        >
          <p>
            <Route source={link.source} target={link.target} />
          </p>
          <KeyFigures>
            <KeyFigure label={t('detail.tables')}>
              <TableTally tables={link.tables} />
            </KeyFigure>
            <KeyFigure label={t('detail.rate')}>{link.stale ? '–' : rate(link.rowsPerSecond)}</KeyFigure>
            <KeyFigure label={t('detail.lag')}>{link.stale ? '–' : duration(link.lagMs)}</KeyFigure>
            <KeyFigure label={t('detail.verified')}>
              {link.verifiedUntil ? <Moment at={link.verifiedUntil} /> : t('detail.notVerified')}
            </KeyFigure>
            <KeyFigure label={t('detail.updated')}>
              <Moment at={link.updatedAt} />
            </KeyFigure>
          </KeyFigures>
        </PageHead>
        {link.stale && <StaleAlert at={time(link.asOf)} />}
        {link.reason && <ReasonAlert reason={link.reason} state={link.state} />}
        <WarningAlerts warnings={link.warnings} />
        <FailedTablesAlert link={link} />
        <RowErrorsAlert count={link.tables.rowErrors} onShow={() => setUrl({ tab: 'errors' })} />
      </div>
      <Tabs
        className="page-tabs"
        activeKey={shown}
        onChange={(key) => setUrl({ tab: key })}
        destroyOnHidden
        items={tabs.map((name) => ({
          key: name,
          label: name === 'timeline' ? t('metric:timeline.title') : t(`detail.tabs.${name}`),
          children: (
            <Suspense fallback={<LoadingState rows={8} />}>
              <TabContent tab={name} link={link} onTotals={onTotals} />
            </Suspense>
          ),
        }))}
      />
    </div>
  );
}

interface TabProps {
  tab: Tab;
  link: LinkDetail;
  onTotals: ReportTotals<TaskTotals>;
}

function TabContent({ tab, link, onTotals }: TabProps) {
  const { id } = link;
  const mayReadLogs = useMay('monitor/log-search')('view');
  const placeOf = useCallback(
    (entry: TimelineEntry) => placeOfEntry(entry, id, mayReadLogs),
    [id, mayReadLogs],
  );
  const openErrors = useErrorTab();
  switch (tab) {
    case 'tables':
      return (
        <TableList key={id} taskId={link.taskId} linkId={id} onErrors={openErrors} onTotals={onTotals} />
      );
    case 'metrics':
      return <MetricsView kind="link" id={link.id} name={link.name} />;
    case 'timeline':
      return <TimelineView kind="link" id={link.id} placeOf={placeOf} />;
    case 'errors':
      return <ErrorList source={linkErrors(link.id)} />;
    case 'logs':
      return <LogSearchView scope={{ linkId: link.id }} name={link.name} />;
    case 'configuration':
      return <ConfigurationTab link={link} />;
    case 'services':
      return <ServicesTab services={link.services} heldLogGb={link.document.heldLogGb} />;
  }
}

/** Where an entry of the timeline is dealt with. */
function placeOfEntry(
  { kind, subject, at }: TimelineEntry,
  id: string,
  mayReadLogs: boolean,
): string | undefined {
  switch (kind) {
    case 'process':
      return mayReadLogs ? paths.logsAround(at, { link: id }) : undefined;
    case 'load':
      return paths.loads(subject);
    case 'schema':
      return paths.syncLink(id);
    case 'plan':
      return paths.taskPlans();
    default:
      return undefined;
  }
}

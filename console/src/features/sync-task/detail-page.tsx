import { Button, Tabs } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import type { TaskDetail, TaskTotals } from '@/shared/api';
import type { ReportTotals } from '@/shared/hooks/use-totals';
import { useUrlState } from '@/shared/hooks/use-url-state';
import { count, duration, rate, time } from '@/shared/lib/figures';
import { usePageTitle } from '@/shared/pages/page-context';
import { paths } from '@/shared/pages/paths';
import { ErrorState } from '@/shared/ui/error-state';
import { Count, KeyFigure, KeyFigures } from '@/shared/ui/figures';
import { LiveMark } from '@/shared/ui/live-mark';
import { LoadingState } from '@/shared/ui/loading-state';
import { MilestoneBar } from '@/shared/ui/milestone-bar';
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
import { useTask } from './queries';
import '@/shared/widgets/sync/sync.css';
import { linkErrors } from '@/shared/widgets/sync/errors/source';

// What is in the other tabs comes with them.
const ErrorList = lazy(() => import('@/shared/widgets/sync/errors/error-list'));
const MetricsView = lazy(() => import('@/shared/widgets/metrics'));

const tabs = ['tables', 'metrics', 'errors'] as const;
type Tab = (typeof tabs)[number];

const defaults = { tab: 'tables' };

export default function SyncTaskConfigPage() {
  const { id = '' } = useParams();
  const query = useTask(id);
  usePageTitle(query.data?.name);
  // Head and list of tables show one moment: while the list is there, its own.
  const [totals, setTotals] = useState<TaskTotals>();
  const task = query.data && { ...query.data, ...totals };
  usePageState(task && factsOf(task));
  if (task) return <TaskView task={task} query={query} onTotals={setTotals} />;
  if (query.error) return <ErrorState isPage error={query.error} onRetry={query.refetch} />;
  return <LoadingState rows={10} />;
}

function factsOf({ state, reason, heldUp, tables, warnings }: TaskDetail): StateFacts {
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
  task: TaskDetail;
  query: ReturnType<typeof useTask>;
  onTotals: ReportTotals<TaskTotals>;
}

function TaskView({ task, query, onTotals }: ViewProps) {
  const { t } = useTranslation('sync-task');
  const navigate = useNavigate();
  const [{ tab }, setUrl] = useUrlState(defaults);
  const shown: Tab = tabs.find((name) => name === tab) ?? 'tables';
  return (
    <div className="sync-detail">
      <div className="card">
        <PageHead
          title={task.name}
          marks={
            <>
              <StateTag {...factsOf(task)} />
              <PaceMark pace={task.pace} />
              <LiveMark query={query} />
            </>
          }
          actions={
            <>
              <Button onClick={() => navigate(paths.syncLink(task.linkId))}>{t('detail.link')}</Button>
              <LinkActions
                link={{ ...task, id: task.linkId }}
                onDeleted={() => navigate(paths.syncTasks())}
              />
            </>
          }
        >
          <p>
            <Route source={task.source} target={task.target} />
          </p>
        </PageHead>
        {task.stale && <StaleAlert at={time(task.asOf)} />}
        {task.reason && <ReasonAlert reason={task.reason} state={task.state} />}
        <WarningAlerts warnings={task.warnings} />
        <FailedTablesAlert link={task} />
        <RowErrorsAlert count={task.tables.rowErrors} onShow={() => setUrl({ tab: 'errors' })} />
        <Milestones task={task} />
        <Figures task={task} />
      </div>
      <Tabs
        className="page-tabs"
        activeKey={shown}
        onChange={(key) => setUrl({ tab: key })}
        destroyOnHidden
        items={tabs.map((name) => ({
          key: name,
          label: t(`detail.tabs.${name}`),
          children: (
            <Suspense fallback={<LoadingState rows={8} />}>
              <TabContent tab={name} task={task} onTotals={onTotals} />
            </Suspense>
          ),
        }))}
      />
    </div>
  );
}

interface TabProps {
  tab: Tab;
  task: TaskDetail;
  onTotals: ReportTotals<TaskTotals>;
}

function TabContent({ tab, task, onTotals }: TabProps) {
  const openErrors = useErrorTab();
  switch (tab) {
    case 'tables':
      return (
        <TableList
          key={task.id}
          taskId={task.id}
          linkId={task.linkId}
          onErrors={openErrors}
          onTotals={onTotals}
        />
      );
    case 'metrics':
      return <MetricsView kind="task" id={task.id} name={task.name} />;
    case 'errors':
      return <ErrorList source={linkErrors(task.linkId)} />;
  }
}

function Milestones({ task }: { task: TaskDetail }) {
  const { t } = useTranslation('sync-task');
  return (
    <MilestoneBar
      label={t('milestone.label')}
      milestones={task.milestones.map(({ key, state, done, total }) => ({
        key,
        label: t(`milestone.${key}`),
        state,
        detail: t('milestone.tables', { done: count(done), total: count(total) }),
      }))}
    />
  );
}

function Figures({ task }: { task: TaskDetail }) {
  const { t } = useTranslation('sync-task');
  return (
    <KeyFigures>
      <KeyFigure label={t('detail.tables')}>
        <TableTally tables={task.tables} />
      </KeyFigure>
      <KeyFigure label={t('detail.rows')}>
        <Count value={task.rowsLoaded} /> / <Count value={task.rowsTotal} />
      </KeyFigure>
      <KeyFigure label={t('detail.rate')}>{task.stale ? '–' : rate(task.rowsPerSecond)}</KeyFigure>
      <KeyFigure label={t('detail.timeLeft')}>{task.stale ? '–' : duration(task.timeLeftMs)}</KeyFigure>
      <KeyFigure label={t('detail.inserts')}>
        <Count value={task.inserts} />
      </KeyFigure>
      <KeyFigure label={t('detail.updates')}>
        <Count value={task.updates} />
      </KeyFigure>
      <KeyFigure label={t('detail.deletes')}>
        <Count value={task.deletes} />
      </KeyFigure>
      <KeyFigure label={t('detail.lag')}>{task.stale ? '–' : duration(task.lagMs)}</KeyFigure>
    </KeyFigures>
  );
}

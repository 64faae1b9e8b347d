import { Tag } from 'antd';
import { lazy, Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RunPageRequest, RunRecord } from '@/shared/api';
import { taskPlanPageRunsList } from '@/shared/api/lists';
import { useUrlState } from '@/shared/hooks/use-url-state';
import { duration, time } from '@/shared/lib/figures';
import { localTimes } from '@/shared/lib/local-times';
import { type Column, DataTable, MOMENT_WIDTH, useTableState } from '@/shared/ui/data-table';
import { Moment } from '@/shared/ui/figures';
import { ListChoice } from '@/shared/ui/list-choice';
import { ListSearch } from '@/shared/ui/list-search';
import { LiveMark } from '@/shared/ui/live-mark';
import { runOrigins, runStates } from './looks';
import { allRuns, useRuns } from './queries';
import { RunState } from './run-state';
import { useJobWords } from './use-job-words';
import { useOriginWords } from './use-origin-words';

const RunDrawer = lazy(() => import('./run-drawer'));

const filterDefaults = { search: '', state: '', origin: '', current: 1 };
const keyOf = ({ id }: RunRecord) => id;

interface Props {
  label: string;
  /** Only of this plan. */
  plan?: string;
  /** Keeps it apart from another list of the same page. */
  prefix?: string;
}

/** Runs, the newest first: also due times that nothing was run for. */
export function RunList({ label, plan, prefix = '' }: Props) {
  const { t } = useTranslation('task-plan');
  const state = useTableState(prefix);
  const [filter, setFilter] = useUrlState(filterDefaults, prefix);
  const [open, setOpen] = useState<RunRecord>();
  const asked: RunPageRequest = {
    ...state.request,
    plan: plan ?? null,
    search: filter.search,
    state: filter.state ? [filter.state as RunRecord['state']] : [],
    origin: (filter.origin || null) as RunRecord['origin'] | null,
  };
  const query = useRuns(asked);
  return (
    <>
      <DataTable
        label={label}
        name={plan ? 'task-runs-of-plan' : 'task-runs'}
        columns={useColumns(setOpen, plan !== undefined)}
        list={taskPlanPageRunsList}
        query={query}
        state={state}
        rowKey={keyOf}
        loadAll={() => allRuns(asked)}
        empty={
          filter.search || filter.state || filter.origin
            ? { title: t('emptyFiltered') }
            : { title: t('run.empty'), hint: t('run.emptyHint') }
        }
        toolbar={
          <>
            {plan === undefined && (
              <ListSearch
                label={t('run.search')}
                value={filter.search}
                onSearch={(search) => setFilter({ search, current: 1 })}
              />
            )}
            <ListChoice
              label={t('state')}
              value={filter.state}
              onChange={(wanted) => setFilter({ state: wanted, current: 1 })}
              options={[
                { value: '', label: t('anyState') },
                ...runStates.map((value) => ({ value: value as string, label: t(`run.states.${value}`) })),
              ]}
            />
            <ListChoice
              label={t('run.origin')}
              value={filter.origin}
              onChange={(wanted) => setFilter({ origin: wanted, current: 1 })}
              options={[
                { value: '', label: t('run.anyOrigin') },
                ...runOrigins.map((value) => ({ value: value as string, label: t(`run.origins.${value}`) })),
              ]}
            />
          </>
        }
        extra={<LiveMark query={query} />}
      />
      <Suspense>{open && <RunDrawer id={open.id} onClose={() => setOpen(undefined)} />}</Suspense>
    </>
  );
}

function useColumns(onOpen: (run: RunRecord) => void, isOfPlan: boolean): Column<RunRecord>[] {
  const { t } = useTranslation('task-plan');
  const jobWords = useJobWords();
  const originWords = useOriginWords();
  return useMemo(() => {
    const plan: Column<RunRecord> = {
      key: 'planName',
      type: 'text',
      title: t('name'),
      minWidth: 130,
      essential: true,
      text: ({ planName }) => planName,
    };
    const moment = (key: 'dueAt' | 'startedAt' | 'endedAt', leaveOut = false): Column<RunRecord> => ({
      key,
      title: t(`run.${key}`),
      width: MOMENT_WIDTH,
      leaveOut,
      text: (row) => time(row[key]),
      render: (row) => <Moment at={row[key]} />,
    });
    return [
      ...(isOfPlan ? [] : [plan]),
      {
        ...moment('dueAt'),
        width: MOMENT_WIDTH + 70,
        // A run of a backfill stands for this time, and was made long after it.
        render: ({ dueAt, origin }) => (
          <>
            <Moment at={dueAt} /> {origin === 'backfill' && <Tag>{t('run.origins.backfill')}</Tag>}
          </>
        ),
      },
      {
        key: 'state',
        title: t('state'),
        width: 130,
        essential: true,
        text: ({ state }) => t(`run.states.${state}`),
        render: (row) => <RunState run={row} />,
      },
      {
        key: 'reason',
        type: 'text',
        title: t('run.reason'),
        minWidth: 200,
        length: 80,
        text: ({ reason }) => localTimes(reason?.text ?? ''),
      },
      {
        key: 'tables',
        of: ['tablesDone', 'tablesTotal'],
        type: 'text',
        title: t('run.progress'),
        width: 110,
        align: 'right',
        text: ({ tablesDone, tablesTotal }) => (tablesTotal ? `${tablesDone} / ${tablesTotal}` : ''),
      },
      moment('startedAt', true),
      moment('endedAt', true),
      {
        key: 'durationMs',
        title: t('run.duration'),
        width: 110,
        align: 'right',
        text: ({ durationMs }) => durationMs,
        render: ({ durationMs }) => duration(durationMs),
      },
      {
        key: 'origin',
        type: 'text',
        title: t('run.origin'),
        width: 140,
        leaveOut: true,
        text: originWords,
      },
      {
        key: 'job',
        type: 'text',
        title: t('jobOf'),
        minWidth: 150,
        length: 60,
        leaveOut: true,
        text: ({ job }) => jobWords(job),
      },
      {
        key: 'actions',
        type: 'options',
        title: t('actions'),
        width: 90,
        fixed: 'right',
        essential: true,
        actions: (row) => [{ key: 'open', label: t('run.open'), run: () => onOpen(row) }],
      },
    ];
  }, [t, jobWords, originWords, onOpen, isOfPlan]);
}

import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { BackfillRecord, PlanRecord } from '@/shared/api';
import { useMay } from '@/shared/hooks/use-may';
import { time } from '@/shared/lib/figures';
import { timeIn } from '@/shared/lib/zones';
import { type Column, MOMENT_WIDTH, type RowAction } from '@/shared/ui/data-table';
import { Moment } from '@/shared/ui/figures';
import { LookMark } from '@/shared/ui/state-tag';
import { lookOfPlan } from './looks';
import { TASK } from './queries';
import { RunState } from './run-state';
import { useJobWords } from './use-job-words';
import { usePlanActions } from './use-plan-actions';

interface Opens {
  onEdit: (plan: PlanRecord) => void;
  onHistory: (plan: PlanRecord) => void;
  onBackfill: (plan: PlanRecord) => void;
}

export function usePlanColumns(opens: Opens): Column<PlanRecord>[] {
  const { t } = useTranslation('task-plan');
  const jobWords = useJobWords();
  const scheduleWords = useScheduleWords();
  const backfillWords = useBackfillWords();
  const actions = useActions(opens);
  return useMemo(
    () => [
      {
        key: 'name',
        type: 'text',
        title: t('name'),
        minWidth: 130,
        essential: true,
        text: ({ name }) => name,
      },
      {
        key: 'state',
        title: t('state'),
        width: 130,
        text: ({ state }) => t(`states.${state}`),
        render: ({ state, backfill }) =>
          state === 'active' && backfill?.state === 'running' ? (
            <LookMark look="busy" label={backfillWords(backfill)} />
          ) : (
            <LookMark look={lookOfPlan[state]} label={t(`states.${state}`)} />
          ),
      },
      {
        key: 'job',
        type: 'text',
        title: t('jobOf'),
        minWidth: 170,
        length: 60,
        text: ({ job }) => jobWords(job),
      },
      {
        key: 'schedule',
        of: ['cron', 'timeZone', 'onceAt', 'after', 'afterWhen'],
        type: 'text',
        title: t('schedule'),
        minWidth: 150,
        length: 60,
        text: scheduleWords,
      },
      {
        key: 'nextAt',
        title: t('next'),
        width: MOMENT_WIDTH,
        text: ({ nextAt }) => time(nextAt),
        render: ({ nextAt }) => <Moment at={nextAt} />,
      },
      {
        key: 'lastRun',
        title: t('last'),
        width: 140,
        text: ({ lastRun }) => (lastRun ? t(`run.states.${lastRun.state}`) : ''),
        render: ({ lastRun }) => (lastRun ? <RunState run={lastRun} /> : t('never')),
      },
      {
        key: 'lastAt',
        of: ['lastRun'],
        title: t('lastAt'),
        width: MOMENT_WIDTH,
        leaveOut: true,
        text: ({ lastRun }) => time(lastRun?.dueAt),
        render: ({ lastRun }) => <Moment at={lastRun?.dueAt} />,
      },
      {
        key: 'backfill',
        type: 'text',
        title: t('backfill.last'),
        width: 200,
        leaveOut: true,
        text: ({ backfill }) =>
          backfill ? `${t(`backfill.states.${backfill.state}`)} · ${backfillWords(backfill)}` : '',
      },
      {
        key: 'ownerName',
        type: 'text',
        title: t('owner'),
        width: 110,
        leaveOut: true,
        text: ({ ownerName }) => ownerName ?? t('ownerGone'),
      },
      {
        key: 'updatedAt',
        title: t('updated'),
        width: MOMENT_WIDTH,
        leaveOut: true,
        text: ({ updatedAt }) => time(updatedAt),
        render: ({ updatedAt }) => <Moment at={updatedAt} />,
      },
      {
        key: 'actions',
        type: 'options',
        title: t('actions'),
        width: 190,
        fixed: 'right',
        essential: true,
        shown: 2,
        actions,
      },
    ],
    [t, jobWords, scheduleWords, backfillWords, actions],
  );
}

/** When a plan is due, in a line. */
function useScheduleWords(): (plan: PlanRecord) => string {
  const { t } = useTranslation('task-plan');
  return useCallback(
    ({ trigger, cron, onceAt, timeZone, afterName, afterWhen }) => {
      if (trigger === 'after') return t(`behind.${afterWhen}`, { name: afterName });
      return onceAt ? timeIn(timeZone, onceAt) : `${cron} · ${timeZone}`;
    },
    [t],
  );
}

/** How far a backfill is, in a line: its runs that are over, and those of them that failed. */
function useBackfillWords(): (backfill: BackfillRecord) => string {
  const { t } = useTranslation('task-plan');
  return useCallback(
    ({ succeeded, broken, total }) =>
      t(broken ? 'backfill.progressWithFailures' : 'backfill.progress', {
        done: succeeded + broken,
        total,
        broken,
      }),
    [t],
  );
}

function useActions({ onEdit, onHistory, onBackfill }: Opens): (plan: PlanRecord) => RowAction[] {
  const { t } = useTranslation('task-plan');
  const may = useMay(TASK);
  const { run, pause, resume, cancelBackfill, remove } = usePlanActions();
  return (plan) => [
    { key: 'history', label: t('history'), run: () => onHistory(plan) },
    ...(may('operate')
      ? [
          { key: 'run', label: t('runNow'), run: () => run(plan) },
          plan.state === 'paused'
            ? { key: 'resume', label: t('resume'), run: () => resume(plan) }
            : { key: 'pause', label: t('pause'), run: () => pause(plan) },
          ...(plan.backfill?.state === 'running'
            ? [{ key: 'cancel-backfill', label: t('backfill.cancel'), run: () => cancelBackfill(plan) }]
            : plan.trigger === 'after' || plan.state === 'paused'
              ? []
              : [{ key: 'backfill', label: t('backfill.open'), run: () => onBackfill(plan) }]),
        ]
      : []),
    ...(may('edit') ? [{ key: 'edit', label: t('edit'), run: () => onEdit(plan) }] : []),
    ...(may('delete') ? [{ key: 'delete', label: t('delete'), danger: true, run: () => remove(plan) }] : []),
  ];
}

import { Drawer } from 'antd';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RunDetail, RunTableRecord } from '@/shared/api';
import { taskPlanPageRunTablesList } from '@/shared/api/lists';
import { duration } from '@/shared/lib/figures';
import { localTimes } from '@/shared/lib/local-times';
import { usePageActive } from '@/shared/pages/page-context';
import { type Column, DataTable, useOwnTableState } from '@/shared/ui/data-table';
import { KeyFigure, KeyFigures, Moment } from '@/shared/ui/figures';
import { ListChoice } from '@/shared/ui/list-choice';
import { ListSearch } from '@/shared/ui/list-search';
import { PendingState } from '@/shared/ui/pending-state';
import { PlainTable } from '@/shared/ui/plain-table';
import { LookMark } from '@/shared/ui/state-tag';
import { isOfLink } from './plan-form';
import { useRun, useRunTables } from './queries';
import { RunState } from './run-state';
import { useJobWords } from './use-job-words';
import { useOriginWords } from './use-origin-words';
import './task-plan.css';

/** One run: how it stands, its log, and what became of each table or other object. */
export default function RunDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTranslation('task-plan');
  const isActive = usePageActive();
  const query = useRun(id);
  const title = query.data ? t('run.title', { name: query.data.planName }) : t('run.open');
  return (
    <Drawer title={title} open={isActive} onClose={onClose} size="70%" className="table-drawer">
      {query.data ? <Content run={query.data} /> : <PendingState query={query} rows={6} />}
    </Drawer>
  );
}

function Content({ run }: { run: RunDetail }) {
  const { t } = useTranslation('task-plan');
  const jobWords = useJobWords();
  const originWords = useOriginWords();
  return (
    <>
      <KeyFigures>
        <KeyFigure label={t('state')}>
          <RunState run={run} />
        </KeyFigure>
        <KeyFigure label={t('jobOf')}>{jobWords(run.job)}</KeyFigure>
        <KeyFigure label={t('run.dueAt')}>
          <Moment at={run.dueAt} />
        </KeyFigure>
        <KeyFigure label={t('run.origin')}>{originWords(run)}</KeyFigure>
        <KeyFigure label={t('run.duration')}>{duration(run.durationMs)}</KeyFigure>
        <KeyFigure label={t('run.attempt')}>{run.attempt}</KeyFigure>
      </KeyFigures>
      {run.reason && <p>{localTimes(run.reason.text)}</p>}
      {run.log.length > 0 && (
        <div className="task-run-log">
          <PlainTable
            label={t('run.log')}
            rows={run.log.map((line, index) => ({ ...line, key: `${index}` }))}
            rowKey={({ key }) => key}
            columns={[
              { key: 'at', title: t('run.at'), width: 170, render: ({ at }) => <Moment at={at} /> },
              { key: 'text', title: t('run.log'), render: ({ text }) => localTimes(text) },
            ]}
          />
        </div>
      )}
      {run.tablesTotal > 0 && <Tables run={run.id} ofTables={isOfLink(run.job.type)} />}
    </>
  );
}

const outcomes = { '': null, done: true, undone: false } as const;
type Outcome = keyof typeof outcomes;

/** `ofTables`: else of another kind of object. */
function Tables({ run, ofTables }: { run: string; ofTables: boolean }) {
  const { t } = useTranslation('task-plan');
  const state = useOwnTableState();
  const [search, setSearch] = useState('');
  const [outcome, setOutcome] = useState<Outcome>('');
  const query = useRunTables({ ...state.request, run, search, done: outcomes[outcome] });
  const narrow = (change: () => void) => {
    change();
    state.toFirstPage();
  };
  return (
    <DataTable
      label={t(ofTables ? 'run.tables' : 'run.items')}
      name="task-run-tables"
      columns={useTableColumns(ofTables)}
      list={taskPlanPageRunTablesList}
      query={query}
      state={state}
      rowKey={({ id }) => id}
      empty={{ title: t('emptyFiltered') }}
      toolbar={
        <>
          <ListSearch
            label={t(ofTables ? 'run.searchTable' : 'run.searchItem')}
            value={search}
            onSearch={(wanted) => narrow(() => setSearch(wanted))}
          />
          <ListChoice<Outcome>
            label={t('run.outcome')}
            value={outcome}
            onChange={(wanted) => narrow(() => setOutcome(wanted))}
            options={[
              { value: '', label: t('run.anyOutcome') },
              { value: 'undone', label: t('run.undone') },
              { value: 'done', label: t('run.done') },
            ]}
          />
        </>
      }
    />
  );
}

function useTableColumns(ofTables: boolean): Column<RunTableRecord>[] {
  const { t } = useTranslation('task-plan');
  return useMemo(() => {
    const words = (done: boolean | null) =>
      done === null ? t('run.pending') : t(done ? 'run.done' : 'run.undone');
    const look = (done: boolean | null) => (done === null ? 'busy' : done ? 'good' : 'bad');
    return [
      {
        key: 'table',
        type: 'text',
        title: t(ofTables ? 'run.table' : 'run.item'),
        minWidth: 180,
        essential: true,
        text: ({ table }) => table,
      },
      {
        key: 'done',
        title: t('run.outcome'),
        width: 140,
        text: ({ done }) => words(done),
        render: ({ done }) => <LookMark look={look(done)} label={words(done)} />,
      },
      {
        key: 'reason',
        type: 'text',
        title: t('run.reason'),
        minWidth: 220,
        length: 80,
        text: ({ reason }) => reason,
      },
    ];
  }, [t, ofTables]);
}

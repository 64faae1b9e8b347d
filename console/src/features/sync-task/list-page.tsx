import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { TaskRecord } from '@/shared/api';
import { syncTaskPageList } from '@/shared/api/lists';
import { percent } from '@/shared/lib/figures';
import { paths } from '@/shared/pages/paths';
import { type Column, DataTable, useTableState } from '@/shared/ui/data-table';
import { Share } from '@/shared/ui/figures';
import { LiveMark } from '@/shared/ui/live-mark';
import { useFlowColumns } from '@/shared/widgets/sync/flow-columns';
import { FlowFilter, useFlowFilter } from '@/shared/widgets/sync/flow-filter';
import { LinkActions } from '@/shared/widgets/sync/link-actions';
import { NewLinkButton } from '@/shared/widgets/sync/new-link-button';
import { allTasks, useTasks } from './queries';

const keyOf = (task: TaskRecord) => task.id;

export default function SyncTaskPage() {
  const { t } = useTranslation('sync-task');
  const state = useTableState();
  const { filter, narrow, isFiltered } = useFlowFilter('sync-tasks');
  const query = useTasks(state.request, filter);
  const columns = useColumns();
  return (
    <>
      <h1 className="visually-hidden">{t('list.title')}</h1>
      <DataTable
        label={t('list.title')}
        name="sync-tasks"
        columns={columns}
        list={syncTaskPageList}
        query={query}
        state={state}
        rowKey={keyOf}
        loadAll={() => allTasks(state.request, filter)}
        empty={
          isFiltered
            ? { title: t('list.emptyFiltered') }
            : {
                title: t('list.empty'),
                hint: t('list.emptyHint'),
                action: <NewLinkButton label={t('list.create')} />,
              }
        }
        toolbar={<FlowFilter search={t('list.search')} filter={filter} narrow={narrow} />}
        extra={<LiveMark query={query} />}
      />
    </>
  );
}

function useColumns(): Column<TaskRecord>[] {
  const { t } = useTranslation('sync-task');
  const flow = useFlowColumns();
  return useMemo(
    () => [
      {
        key: 'name',
        title: t('list.name'),
        minWidth: 120,
        essential: true,
        text: ({ name }) => name,
        render: ({ id, name }) => <Link to={paths.syncTask(id)}>{name}</Link>,
      },
      flow.state,
      {
        key: 'progress',
        of: ['rowsLoaded', 'rowsTotal'],
        title: t('list.progress'),
        width: 160,
        leaveOut: true,
        text: ({ rowsLoaded, rowsTotal }) => percent(rowsLoaded, rowsTotal),
        render: ({ rowsLoaded, rowsTotal }) => <Share done={rowsLoaded} total={rowsTotal} />,
      },
      ...flow.figures,
      {
        key: 'actions',
        of: [],
        title: t('list.actions'),
        width: 130,
        fixed: 'right',
        essential: true,
        render: (task) => <LinkActions link={{ ...task, id: task.linkId }} compact />,
      },
    ],
    [t, flow],
  );
}

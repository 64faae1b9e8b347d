import { Drawer } from 'antd';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SqlRunRecord as RunRecord } from '@/shared/api';
import { sqlPageRunsList } from '@/shared/api/lists';
import { count, duration } from '@/shared/lib/figures';
import { usePageActive } from '@/shared/pages/page-context';
import { type Column, DataTable, MOMENT_WIDTH, useOwnTableState } from '@/shared/ui/data-table';
import { Moment } from '@/shared/ui/figures';
import { ListSearch } from '@/shared/ui/list-search';
import { LookMark } from '@/shared/ui/state-tag';
import { Tip } from '@/shared/ui/tip';
import { useRuns } from './queries';

interface Props {
  onTake: (run: RunRecord) => void;
  onClose: () => void;
}

const LOOKS = {
  running: 'busy',
  done: 'good',
  failed: 'bad',
  cancelled: 'quiet',
  unknown: 'warning',
} as const;
const keyOf = ({ id }: RunRecord) => id;

/** What the viewer ran lately; a statement of it is put back into the editor. */
export default function HistoryDrawer({ onTake, onClose }: Props) {
  const { t } = useTranslation('sql-management');
  const isActive = usePageActive();
  const state = useOwnTableState();
  const [search, setSearch] = useState('');
  const query = useRuns({ ...state.request, search });
  const take = (run: RunRecord) => {
    onTake(run);
    onClose();
  };
  return (
    <Drawer title={t('history')} open={isActive} onClose={onClose} size="90%" className="table-drawer">
      <DataTable
        label={t('history')}
        name="sql-history"
        columns={useColumns(take)}
        list={sqlPageRunsList}
        query={query}
        state={state}
        rowKey={keyOf}
        empty={{ title: t(search ? 'emptyFiltered' : 'historyEmpty') }}
        toolbar={
          <ListSearch
            label={t('historySearch')}
            value={search}
            onSearch={(wanted) => {
              setSearch(wanted);
              state.toFirstPage();
            }}
          />
        }
      />
    </Drawer>
  );
}

function useColumns(take: (run: RunRecord) => void): Column<RunRecord>[] {
  const { t } = useTranslation('sql-management');
  return useMemo(
    () => [
      {
        key: 'ranAt',
        title: t('ranAt'),
        width: MOMENT_WIDTH,
        text: (row) => row.ranAt,
        render: (row) => <Moment at={row.ranAt} />,
      },
      {
        key: 'statement',
        type: 'text',
        title: t('statement'),
        minWidth: 200,
        length: 100,
        essential: true,
        text: (row) => row.statement,
      },
      {
        key: 'databaseName',
        type: 'text',
        title: t('database'),
        width: 150,
        text: (row) => row.databaseName,
      },
      { key: 'mode', type: 'text', title: t('mode'), width: 80, text: (row) => t(`modes.${row.mode}`) },
      {
        key: 'result',
        title: t('resultOf'),
        width: 110,
        text: (row) => t(`results.${row.result}`),
        render: (row) => (
          <Tip title={row.reason?.text}>
            <span>
              <LookMark look={LOOKS[row.result]} label={t(`results.${row.result}`)} />
            </span>
          </Tip>
        ),
      },
      {
        key: 'rows',
        type: 'text',
        title: t('rows'),
        width: 90,
        align: 'right',
        text: (row) => count(row.rows),
      },
      {
        key: 'durationMs',
        type: 'text',
        title: t('duration'),
        width: 100,
        align: 'right',
        text: (row) => duration(row.durationMs),
      },
      {
        key: 'actions',
        type: 'options',
        title: t('actions'),
        width: 130,
        fixed: 'right',
        essential: true,
        shown: 1,
        actions: (row) => [{ key: 'take', label: t('take'), run: () => take(row) }],
      },
    ],
    [t, take],
  );
}

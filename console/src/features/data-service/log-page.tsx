import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallRecord } from '@/shared/api';
import { dataServicePageCallsList } from '@/shared/api/lists';
import { bytes, duration } from '@/shared/lib/figures';
import { type Column, DataTable, MOMENT_WIDTH, useListFilter, useTableState } from '@/shared/ui/data-table';
import { Count, Moment } from '@/shared/ui/figures';
import { ListChoice } from '@/shared/ui/list-choice';
import { ListSearch } from '@/shared/ui/list-search';
import { LiveMark } from '@/shared/ui/live-mark';
import { LookMark } from '@/shared/ui/state-tag';
import { Tip } from '@/shared/ui/tip';
import { allCalls, useCalls } from './queries';

const defaults = { search: '', result: '' };
const keyOf = ({ id }: CallRecord) => id;
const REFUSED = 400;

/** The calls that data services answered, the newest first. */
export default function LogPage() {
  const { t } = useTranslation('data-service');
  const state = useTableState();
  const [filter, narrow] = useListFilter('api-log', defaults);
  const query = useCalls(state.request, filter);
  return (
    <>
      <h1 className="visually-hidden">{t('log.title')}</h1>
      <DataTable
        label={t('log.title')}
        name="api-log"
        columns={useColumns()}
        list={dataServicePageCallsList}
        query={query}
        state={state}
        rowKey={keyOf}
        loadAll={() => allCalls(state.request, filter)}
        empty={
          filter.search || filter.result
            ? { title: t('emptyFiltered') }
            : { title: t('log.empty'), hint: t('log.emptyHint') }
        }
        toolbar={
          <>
            <ListSearch
              label={t('log.search')}
              value={filter.search}
              onSearch={(search) => narrow({ search })}
            />
            <ListChoice
              label={t('log.result')}
              value={filter.result}
              onChange={(result) => narrow({ result })}
              options={[
                { value: '', label: t('log.any') },
                { value: 'answered', label: t('log.answered') },
                { value: 'failed', label: t('log.failed') },
              ]}
            />
          </>
        }
        extra={<LiveMark query={query} />}
      />
    </>
  );
}

function useColumns(): Column<CallRecord>[] {
  const { t } = useTranslation('data-service');
  return useMemo(
    () => [
      {
        key: 'calledAt',
        title: t('log.at'),
        width: MOMENT_WIDTH,
        essential: true,
        text: (row) => row.calledAt,
        render: (row) => <Moment at={row.calledAt} />,
      },
      {
        key: 'path',
        type: 'text',
        title: t('log.path'),
        minWidth: 200,
        length: 60,
        text: (row) => `${row.method} ${row.path}`,
      },
      {
        key: 'appName',
        type: 'text',
        title: t('app.one'),
        minWidth: 120,
        text: (row) => row.appName,
      },
      {
        key: 'apiName',
        type: 'text',
        title: t('api.one'),
        minWidth: 120,
        leaveOut: true,
        text: (row) => row.apiName,
      },
      { key: 'address', type: 'text', title: t('log.address'), width: 140, text: (row) => row.address },
      {
        key: 'status',
        title: t('log.status'),
        width: 100,
        text: (row) => row.status,
        render: (row) => <LookMark look={row.status < REFUSED ? 'good' : 'bad'} label={row.status} />,
      },
      {
        key: 'durationMs',
        title: t('log.duration'),
        width: 100,
        align: 'right',
        text: (row) => row.durationMs,
        render: (row) => duration(row.durationMs),
      },
      {
        key: 'rows',
        title: t('log.rows'),
        width: 90,
        align: 'right',
        text: (row) => row.rows,
        render: (row) => <Count value={row.rows} />,
      },
      {
        key: 'bytes',
        title: t('log.bytes'),
        width: 100,
        align: 'right',
        leaveOut: true,
        text: (row) => row.bytes,
        render: (row) => bytes(row.bytes),
      },
      {
        key: 'cached',
        type: 'text',
        title: t('log.cached'),
        width: 80,
        leaveOut: true,
        text: (row) => t(row.cached ? 'yes' : 'no'),
      },
      {
        key: 'reason',
        title: t('log.reason'),
        minWidth: 200,
        text: (row) => row.reason?.text ?? '',
        render: ({ reason }) =>
          reason ? (
            <Tip title={reason.remedy || undefined}>
              <span>{reason.text}</span>
            </Tip>
          ) : null,
      },
    ],
    [t],
  );
}

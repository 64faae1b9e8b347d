import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { LoadRecord } from '@/shared/api';
import { loadHistoryPageList } from '@/shared/api/lists';
import { bytes, duration, rate, time } from '@/shared/lib/figures';
import { customerPaths, paths } from '@/shared/pages/paths';
import { type Column, DataTable, MOMENT_WIDTH, useListFilter, useTableState } from '@/shared/ui/data-table';
import { Count, Moment } from '@/shared/ui/figures';
import { ListChoice } from '@/shared/ui/list-choice';
import { ListSearch } from '@/shared/ui/list-search';
import { LiveMark } from '@/shared/ui/live-mark';
import { TimeRange } from '@/shared/ui/time-range';
import { LOAD_CHECKS, LOAD_STATES, LoadCheck, LoadState } from './load-state';
import { LoadSummary } from './load-summary';
import { allLoads, useLoads } from './queries';

const NAME = 'load-statistics';
const defaults = { search: '', state: '', check: '', since: '', until: '' };
const keyOf = ({ id }: LoadRecord) => id;

/** Every full load of a table: how far it came, how fast, what its stages took, and why it failed. */
export default function LoadPage() {
  const { t } = useTranslation('statistics');
  const state = useTableState();
  const [filter, narrow] = useListFilter(NAME, defaults);
  const query = useLoads(state.request, filter);
  const isNarrowed = Object.values(filter).some((value) => value !== '');
  return (
    <>
      <h1 className="visually-hidden">{t('load.title')}</h1>
      <LoadSummary filter={filter} />
      <DataTable
        label={t('load.title')}
        name={NAME}
        columns={useColumns()}
        list={loadHistoryPageList}
        query={query}
        state={state}
        rowKey={keyOf}
        loadAll={() => allLoads(state.request, filter)}
        empty={
          isNarrowed
            ? { title: t('load.emptyFiltered') }
            : { title: t('load.empty'), hint: t('load.emptyHint') }
        }
        toolbar={
          <>
            <ListSearch
              label={t('load.search')}
              value={filter.search}
              onSearch={(search) => narrow({ search })}
            />
            <ListChoice
              label={t('load.stateName')}
              value={filter.state}
              onChange={(chosen) => narrow({ state: chosen })}
              options={[
                { value: '', label: t('load.anyState') },
                ...LOAD_STATES.map((one) => ({ value: one, label: t(`load.state.${one}`) })),
              ]}
            />
            <ListChoice
              label={t('load.checkName')}
              value={filter.check}
              onChange={(chosen) => narrow({ check: chosen })}
              options={[
                { value: '', label: t('load.anyCheck') },
                ...LOAD_CHECKS.map((one) => ({ value: one, label: t(`load.check.${one}`) })),
              ]}
            />
            <TimeRange
              labels={{ since: t('load.from'), until: t('load.until') }}
              since={filter.since}
              until={filter.until}
              onChange={narrow}
            />
          </>
        }
        extra={<LiveMark query={query} />}
      />
    </>
  );
}

/** Where the table is seen now; its task, or the data sheet of its subscriber. */
function placeOf({ taskId, clientType, customerId }: LoadRecord): string {
  if (taskId) return paths.syncTask(taskId);
  return customerPaths[clientType as keyof typeof customerPaths].sheet({ customer: customerId });
}

function useColumns(): Column<LoadRecord>[] {
  const { t } = useTranslation('statistics');
  return useMemo(
    () => [
      {
        key: 'source',
        type: 'text',
        title: t('load.source'),
        minWidth: 130,
        essential: true,
        text: ({ source }) => source,
      },
      {
        key: 'target',
        type: 'text',
        title: t('load.target'),
        minWidth: 130,
        leaveOut: true,
        text: ({ target }) => target,
      },
      {
        key: 'linkName',
        title: t('load.link'),
        minWidth: 90,
        text: ({ linkName }) => linkName,
        // What a load belonged to may be gone.
        render: (load) =>
          load.state === 'cancelled' ? load.linkName : <Link to={placeOf(load)}>{load.linkName}</Link>,
      },
      {
        key: 'state',
        title: t('load.stateName'),
        width: 120,
        essential: true,
        text: ({ state }) => t(`load.state.${state}`),
        render: (load) => <LoadState load={load} />,
      },
      {
        key: 'check',
        title: t('load.checkName'),
        minWidth: 110,
        text: ({ check }) => (check ? t(`load.check.${check}`) : null),
        render: ({ check }) => <LoadCheck check={check} />,
      },
      moment('queuedAt', t('load.queuedAt')),
      {
        key: 'rowsLoaded',
        title: t('load.rows'),
        width: 90,
        align: 'right',
        text: ({ rowsLoaded }) => rowsLoaded,
        render: ({ rowsLoaded }) => <Count value={rowsLoaded} />,
      },
      { ...figure('bytesLoaded', t('load.bytes'), 90, bytes), leaveOut: true },
      figure('rowsPerSecond', t('load.rate'), 90, rate),
      { ...figure('waitingMs', t('load.waiting'), 80, duration), leaveOut: true },
      figure('loadingMs', t('load.loading'), 80, duration),
      figure('catchUpMs', t('load.catchUp'), 80, duration),
      { ...figure('failures', t('load.failures'), 80, String), leaveOut: true },
      {
        key: 'reason',
        type: 'text',
        title: t('load.reason'),
        minWidth: 180,
        length: 60,
        leaveOut: true,
        text: ({ reason }) => reason?.text,
      },
      { ...moment('startedAt', t('load.startedAt')), hidden: true },
      { ...moment('finishedAt', t('load.finishedAt')), hidden: true },
      { ...figure('pausedMs', t('load.paused'), 90, duration), hidden: true },
      { ...figure('interruptions', t('load.interruptions'), 100, String), hidden: true },
      {
        key: 'channelName',
        type: 'text',
        title: t('load.channel'),
        minWidth: 120,
        hidden: true,
        text: ({ channelName }) => channelName,
      },
      {
        key: 'sourceKind',
        type: 'text',
        title: t('load.sourceKind'),
        width: 120,
        hidden: true,
        text: ({ sourceKind }) => sourceKind,
      },
      {
        key: 'targetKind',
        type: 'text',
        title: t('load.targetKind'),
        width: 120,
        hidden: true,
        text: ({ targetKind }) => targetKind,
      },
    ],
    [t],
  );
}

function moment(key: 'queuedAt' | 'startedAt' | 'finishedAt', title: string): Column<LoadRecord> {
  return {
    key,
    title,
    width: MOMENT_WIDTH,
    text: (load) => (load[key] ? time(load[key]) : null),
    render: (load) => <Moment at={load[key]} />,
  };
}

type Figure = {
  [Key in keyof LoadRecord]: LoadRecord[Key] extends number | null ? Key : never;
}[keyof LoadRecord];

function figure(
  key: Figure,
  title: string,
  width: number,
  shown: (value: number) => string,
): Column<LoadRecord> {
  return {
    key,
    title,
    width,
    align: 'right',
    text: (load) => load[key],
    render: (load) => {
      const value = load[key];
      return <span className="tabular">{value === null ? '–' : shown(value)}</span>;
    },
  };
}

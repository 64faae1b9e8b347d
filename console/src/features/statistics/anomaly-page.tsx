import { Button } from 'antd';
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import type { AnomalyRecord } from '@/shared/api';
import { anomalyStatisticsPageList } from '@/shared/api/lists';
import { useMay } from '@/shared/hooks/use-may';
import { time } from '@/shared/lib/figures';
import { customerPaths, paths } from '@/shared/pages/paths';
import { type Column, DataTable, MOMENT_WIDTH, useListFilter, useTableState } from '@/shared/ui/data-table';
import { Count, Moment } from '@/shared/ui/figures';
import { ListChoice } from '@/shared/ui/list-choice';
import { ListSearch } from '@/shared/ui/list-search';
import { TimeRange } from '@/shared/ui/time-range';
import {
  ANOMALY_GROUPINGS,
  type AnomalyFilter,
  allAnomalies,
  anomalyGroupingOf,
  useAnomalies,
} from './anomaly-queries';
import './statistics.css';

const NAME = 'anomaly-statistics';
const defaults = { search: '', by: 'class', kind: '', cause: '', since: '', until: '' };
const keyOf = ({ id }: AnomalyRecord) => id;

/** What went wrong, counted by class, by cause, or by what it happened to. */
export default function AnomalyPage() {
  const { t } = useTranslation('statistics');
  const state = useTableState();
  const [filter, narrow] = useListFilter(NAME, defaults);
  const query = useAnomalies(state.request, filter);
  const by = anomalyGroupingOf(filter.by);
  const isNarrowed = ['search', 'kind', 'cause', 'since', 'until'].some(
    (name) => filter[name as keyof AnomalyFilter] !== '',
  );
  return (
    <>
      <h1 className="visually-hidden">{t('anomaly.title')}</h1>
      <DataTable
        label={t('anomaly.title')}
        name={`${NAME}-${by}`}
        key={by}
        columns={useColumns(by, narrow)}
        list={anomalyStatisticsPageList}
        query={query}
        state={state}
        rowKey={keyOf}
        loadAll={() => allAnomalies(state.request, filter)}
        empty={
          isNarrowed
            ? { title: t('anomaly.emptyFiltered') }
            : { title: t('anomaly.empty'), hint: t('anomaly.emptyHint') }
        }
        toolbar={
          <>
            <ListChoice
              label={t('anomaly.by')}
              value={by}
              onChange={(chosen) => narrow({ by: chosen })}
              options={ANOMALY_GROUPINGS.map((one) => ({ value: one, label: t(`anomaly.grouping.${one}`) }))}
            />
            <ListSearch
              label={t('anomaly.search')}
              value={filter.search}
              onSearch={(search) => narrow({ search })}
            />
            <TimeRange
              labels={{ since: t('anomaly.from'), until: t('anomaly.until') }}
              since={filter.since}
              until={filter.until}
              onChange={narrow}
            />
            {(filter.kind || filter.cause) && (
              <Button onClick={() => narrow({ kind: '', cause: '', by: 'class' })}>
                {t('anomaly.widen')}
              </Button>
            )}
          </>
        }
      />
    </>
  );
}

/** The page that shows the object: refused rows, the table, or the link. */
function placeOf({ kind, linkId, taskId, customerId, clientType }: AnomalyRecord): string | undefined {
  if (kind === 'row-errors' && linkId) return paths.syncLinkErrors(linkId);
  const isOfTables = kind === 'row-errors' || kind === 'table-failed' || kind === 'differences';
  if (isOfTables && taskId) return paths.syncTask(taskId);
  if (isOfTables && customerId) return customerPaths[clientType].sheet({ customer: customerId });
  return linkId ? paths.syncLink(linkId) : undefined;
}

type Grouping = (typeof ANOMALY_GROUPINGS)[number];

function useColumns(by: Grouping, narrow: (change: Partial<AnomalyFilter>) => void): Column<AnomalyRecord>[] {
  const { t } = useTranslation('statistics');
  const navigate = useNavigate();
  const mayReadLogs = useMay('monitor/log-search')('view');
  // A class leads to its objects, a cause to those that it stopped, an object to its own page.
  const open = useCallback(
    ({ kind, cause }: AnomalyRecord) => narrow({ by: 'object', kind, cause: cause ?? '' }),
    [narrow],
  );
  return useMemo(() => {
    const named: Column<AnomalyRecord>[] = [
      {
        key: 'kindName',
        title: t('anomaly.class'),
        minWidth: 120,
        essential: true,
        text: ({ kindName }) => kindName,
        render: (record) =>
          by === 'object' ? (
            record.kindName
          ) : (
            <Button type="link" className="statistics-name" onClick={() => open(record)}>
              {record.kindName}
            </Button>
          ),
      },
    ];
    if (by === 'object')
      named.unshift({
        key: 'object',
        title: t('anomaly.object'),
        minWidth: 170,
        essential: true,
        text: ({ object }) => object,
        render: (record) => {
          const place = placeOf(record);
          return place ? <Link to={place}>{record.object}</Link> : record.object;
        },
      });
    if (by === 'object')
      named.push({
        key: 'linkName',
        type: 'text',
        title: t('anomaly.link'),
        minWidth: 100,
        leaveOut: true,
        text: ({ linkName }) => linkName,
      });
    if (by !== 'class')
      named.push({
        key: 'causeText',
        type: 'text',
        title: t(by === 'object' ? 'anomaly.lastCause' : 'anomaly.cause'),
        minWidth: 140,
        length: 60,
        text: ({ causeText }) => causeText,
      });
    const log: Column<AnomalyRecord> = {
      key: 'log',
      type: 'options',
      title: t('anomaly.log'),
      width: 60,
      fixed: 'right',
      essential: true,
      shown: 1,
      // Without a link it is not known whose logs are meant.
      actions: ({ lastAt, linkId }) =>
        linkId
          ? [
              {
                key: 'open',
                label: t('anomaly.log'),
                run: () => navigate(paths.logsAround(lastAt, { link: linkId })),
              },
            ]
          : [],
    };
    return [
      ...named,
      figure('occurrences', t('anomaly.occurrences')),
      figure('open', t('anomaly.open')),
      figure('rows', t('anomaly.rows')),
      moment('firstAt', t('anomaly.firstAt'), by === 'object'),
      moment('lastAt', t('anomaly.lastAt'), false),
      // Classes and causes have no logs of their own.
      ...(by === 'object' && mayReadLogs ? [log] : []),
    ];
  }, [t, by, open, mayReadLogs, navigate]);
}

function figure(key: 'occurrences' | 'open' | 'rows', title: string): Column<AnomalyRecord> {
  return {
    key,
    title,
    width: 90,
    align: 'right',
    text: (record) => record[key],
    render: (record) => <Count value={record[key]} />,
  };
}

function moment(key: 'firstAt' | 'lastAt', title: string, leaveOut: boolean): Column<AnomalyRecord> {
  return {
    key,
    title,
    width: MOMENT_WIDTH,
    leaveOut,
    text: (record) => time(record[key]),
    render: (record) => <Moment at={record[key]} />,
  };
}

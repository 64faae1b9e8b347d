import { Button } from 'antd';
import { lazy, Suspense, useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { TopicFlowRecord } from '@/shared/api';
import { reconciliationPageList } from '@/shared/api/lists';
import { useUrlState } from '@/shared/hooks/use-url-state';
import { percent, time } from '@/shared/lib/figures';
import { usePageActive } from '@/shared/pages/page-context';
import { customerPaths, paths } from '@/shared/pages/paths';
import { type Column, DataTable, MOMENT_WIDTH, useListFilter, useTableState } from '@/shared/ui/data-table';
import { Count, Moment } from '@/shared/ui/figures';
import { ListChoice } from '@/shared/ui/list-choice';
import { ListSearch } from '@/shared/ui/list-search';
import { LiveMark } from '@/shared/ui/live-mark';
import { usualRange } from '@/shared/widgets/metrics/range';
import { RangePicker } from '@/shared/widgets/metrics/range-picker';
import { allFlows, FLOW_GROUPINGS, flowGroupingOf, useFlows } from './flow-queries';
import { FLOW_STATES, FlowState } from './flow-state';
import './statistics.css';

const FlowDrawer = lazy(() => import('./flow-drawer'));

const NAME = 'pubAndSub-statistics';
const defaults = { search: '', by: 'channel', state: '' };
const opened = { flow: '' };
const keyOf = ({ id }: TopicFlowRecord) => id;

/** What became of the changes on each topic, by subscriber and by table: both sides, reconciled by position. */
export default function FlowPage() {
  const { t } = useTranslation('statistics');
  const isActive = usePageActive();
  const state = useTableState();
  const [filter, narrow] = useListFilter(NAME, defaults);
  const [range, setRange] = useUrlState(usualRange);
  const [{ flow }, open] = useUrlState(opened);
  const query = useFlows(state.request, filter, range);
  const by = flowGroupingOf(filter.by);
  const shown = query.data?.records.find(({ id }) => id === flow);
  return (
    <>
      <h1 className="visually-hidden">{t('flow.title')}</h1>
      <DataTable
        label={t('flow.title')}
        name={NAME}
        columns={useColumns(
          by,
          useCallback((id: string) => open({ flow: id }), [open]),
        )}
        list={reconciliationPageList}
        query={query}
        state={state}
        rowKey={keyOf}
        loadAll={() => allFlows(state.request, filter, range)}
        empty={
          filter.search || filter.state
            ? { title: t('flow.emptyFiltered') }
            : { title: t('flow.empty'), hint: t('flow.emptyHint') }
        }
        toolbar={
          <>
            <ListChoice
              label={t('flow.by')}
              value={by}
              onChange={(chosen) => narrow({ by: chosen })}
              options={FLOW_GROUPINGS.map((one) => ({ value: one, label: t(`flow.grouping.${one}`) }))}
            />
            <ListChoice
              label={t('flow.stateName')}
              value={filter.state}
              onChange={(chosen) => narrow({ state: chosen })}
              options={[
                { value: '', label: t('flow.anyState') },
                ...FLOW_STATES.map((one) => ({ value: one as string, label: t(`flow.state.${one}`) })),
              ]}
            />
            <RangePicker range={range} onChange={setRange} />
            <ListSearch
              label={t('flow.search')}
              value={filter.search}
              onSearch={(search) => narrow({ search })}
            />
          </>
        }
        extra={<LiveMark query={query} />}
      />
      {flow && isActive && (
        <Suspense>
          <FlowDrawer
            key={flow}
            by={by}
            id={flow}
            name={shown ? nameOf(shown) : t('flow.title')}
            onClose={() => open({ flow: '' })}
          />
        </Suspense>
      )}
    </>
  );
}

function nameOf({ source, topic, subscriber }: TopicFlowRecord): string {
  return source ? `${source} → ${subscriber}` : `${topic} → ${subscriber}`;
}

/** The link's page, or the tables of a subscriber without one. */
function placeOf({ linkId, customerId, clientType }: TopicFlowRecord): string {
  return linkId ? paths.syncLink(linkId) : customerPaths[clientType].sheet({ customer: customerId });
}

/** The rows that the target refused, or the table that has them. */
function errorsOf(flow: TopicFlowRecord): string {
  return flow.linkId ? paths.syncLinkErrors(flow.linkId) : placeOf(flow);
}

function useColumns(by: 'channel' | 'table', open: (id: string) => void): Column<TopicFlowRecord>[] {
  const { t } = useTranslation('statistics');
  return useMemo(() => {
    const named: Column<TopicFlowRecord>[] =
      by === 'table'
        ? [
            opening('source', t('flow.source'), open),
            text('target', t('flow.target'), true),
            text('topic', t('flow.topic'), true),
          ]
        : [opening('topic', t('flow.topic'), open)];
    return [
      ...named,
      {
        key: 'subscriber',
        title: t('flow.subscriber'),
        minWidth: 100,
        text: ({ subscriber }) => subscriber,
        render: (flow) => <Link to={placeOf(flow)}>{flow.subscriber}</Link>,
      },
      { ...text('channel', t('flow.channel'), true) },
      {
        key: 'state',
        title: t('flow.stateName'),
        width: 124,
        essential: true,
        text: ({ state }) => t(`flow.state.${state}`),
        render: ({ state }) => <FlowState state={state} />,
      },
      figure('published', t('flow.published')),
      figure('applied', t('flow.applied')),
      figure('skipped', t('flow.skipped')),
      figure('filtered', t('flow.filtered')),
      {
        ...figure('refused', t('flow.refused')),
        render: (flow) =>
          flow.refused ? (
            <Link to={errorsOf(flow)}>
              <Count value={flow.refused} />
            </Link>
          ) : (
            <Count value={flow.refused} />
          ),
      } as Column<TopicFlowRecord>,
      figure('waiting', t('flow.waiting')),
      {
        ...figure('difference', t('flow.difference')),
        render: ({ difference }) => (
          <span className={difference ? 'statistics-difference' : undefined}>
            <Count value={difference} />
          </span>
        ),
      } as Column<TopicFlowRecord>,
      { ...figure('rowErrors', t('flow.rowErrors')), leaveOut: true },
      ...(by === 'channel' ? [{ ...figure('tables', t('flow.tables')), leaveOut: true }] : []),
      {
        key: 'comparedAt',
        title: t('flow.comparedAt'),
        width: MOMENT_WIDTH,
        leaveOut: true,
        text: ({ comparedAt }) => (comparedAt ? time(comparedAt) : null),
        render: ({ comparedAt }) => <Moment at={comparedAt} />,
      },
      {
        key: 'measuredPercent',
        title: t('flow.measured'),
        width: 90,
        align: 'right',
        hidden: true,
        text: ({ measuredPercent }) => measuredPercent,
        render: ({ measuredPercent }) => <span className="tabular">{percent(measuredPercent, 100)}</span>,
      },
    ];
  }, [t, by, open]);
}

function opening(
  key: 'source' | 'topic',
  title: string,
  open: (id: string) => void,
): Column<TopicFlowRecord> {
  return {
    key,
    title,
    minWidth: 116,
    essential: true,
    text: (flow) => flow[key],
    render: (flow) => (
      <Button type="link" className="statistics-name" onClick={() => open(flow.id)}>
        {flow[key]}
      </Button>
    ),
  };
}

function text(key: 'target' | 'topic' | 'channel', title: string, leaveOut = false): Column<TopicFlowRecord> {
  return { key, type: 'text', title, minWidth: 110, leaveOut, text: (flow) => flow[key] };
}

type Figure =
  | 'published'
  | 'applied'
  | 'skipped'
  | 'filtered'
  | 'refused'
  | 'waiting'
  | 'difference'
  | 'rowErrors'
  | 'tables';

function figure(key: Figure, title: string): Column<TopicFlowRecord> {
  return {
    key,
    title,
    width: 86,
    align: 'right',
    text: (flow) => flow[key],
    render: (flow) => <Count value={flow[key]} />,
  };
}

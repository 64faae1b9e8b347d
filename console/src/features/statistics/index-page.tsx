import { Button, Segmented } from 'antd';
import { lazy, Suspense, useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { IndexRecord } from '@/shared/api';
import { indexStatisticsPageList } from '@/shared/api/lists';
import { useUrlState } from '@/shared/hooks/use-url-state';
import { percent } from '@/shared/lib/figures';
import { usePageActive } from '@/shared/pages/page-context';
import { type Column, DataTable, useListFilter, useTableState } from '@/shared/ui/data-table';
import { ListChoice } from '@/shared/ui/list-choice';
import { ListSearch } from '@/shared/ui/list-search';
import { LiveMark } from '@/shared/ui/live-mark';
import { Compared, FIGURES, type ShownFigure } from './index-figures';
import { allIndexes, GROUPINGS, groupingOf, useIndexes } from './index-queries';
import { endsOf, INDEX_SPANS, type IndexRange, spanOf } from './index-range';
import './statistics.css';

const IndexDrawer = lazy(() => import('./index-drawer'));
const OwnRange = lazy(() => import('@/shared/widgets/metrics/own-range'));

const NAME = 'index-statistics';
const defaults = { search: '', by: 'link', span: 'today', from: '', to: '' };
const opened = { group: '', all: '' };
const keyOf = ({ id }: IndexRecord) => id;

/** Key figures of links, nodes, containers and tenants, a period against the one before. */
export default function IndexPage() {
  const { t } = useTranslation('statistics');
  const isActive = usePageActive();
  const state = useTableState();
  const [filter, narrow] = useListFilter(NAME, defaults);
  const [{ group, all }, open] = useUrlState(opened);
  const query = useIndexes(state.request, filter);
  const by = groupingOf(filter.by);
  const show = useCallback((id: string) => open({ group: id, all: '' }), [open]);
  const name = query.data?.records.find(({ id }) => id === group)?.name;
  const own = (from: number, to: number) =>
    narrow({ span: 'own', from: String(Math.round(from)), to: String(Math.round(to)) });
  return (
    <>
      <h1 className="visually-hidden">{t('index.title')}</h1>
      <DataTable
        label={t('index.title')}
        name={NAME}
        columns={useColumns(show)}
        list={indexStatisticsPageList}
        query={query}
        state={state}
        rowKey={keyOf}
        loadAll={() => allIndexes(state.request, filter)}
        empty={
          filter.search
            ? { title: t('index.emptyFiltered') }
            : { title: t('index.empty'), hint: t('index.emptyHint') }
        }
        toolbar={
          <>
            <Button type="primary" onClick={() => open({ group: '', all: '1' })}>
              {t('index.overall')}
            </Button>
            <ListChoice
              label={t('index.by')}
              value={by}
              onChange={(chosen) => narrow({ by: chosen })}
              options={GROUPINGS.map((one) => ({ value: one, label: t(`index.grouping.${one}`) }))}
            />
            <Spans range={filter} onChange={narrow} />
            <ListSearch
              label={t('index.search')}
              value={filter.search}
              onSearch={(search) => narrow({ search })}
            />
          </>
        }
        extra={<LiveMark query={query} />}
      />
      {(group || all) && isActive && (
        <Suspense>
          <IndexDrawer
            id={all ? null : group}
            name={all ? t('index.overall') : (name ?? t(`index.grouping.${by}`))}
            filter={filter}
            onZoom={own}
            onReset={() => narrow({ span: 'today', from: '', to: '' })}
            onClose={() => open({ group: '', all: '' })}
          />
        </Suspense>
      )}
    </>
  );
}

interface SpansProps {
  range: IndexRange;
  onChange: (change: IndexRange) => void;
}

/** The period: days that are usual, or the viewer's own range. */
function Spans({ range, onChange }: SpansProps) {
  const { t } = useTranslation('statistics');
  const span = spanOf(range.span);
  const { from, to } = endsOf(range);
  const own = (begin: number, end: number) => onChange({ span: 'own', from: String(begin), to: String(end) });
  return (
    <>
      <Segmented
        aria-label={t('index.period')}
        value={span}
        onChange={(chosen) =>
          chosen === 'own'
            ? own(from, Math.min(to, Date.now()))
            : onChange({ span: chosen, from: '', to: '' })
        }
        options={INDEX_SPANS.map((one) => ({ value: one, label: t(`index.span.${one}`) }))}
      />
      {span === 'own' && (
        <Suspense fallback={null}>
          <OwnRange from={from} to={to} onChange={own} />
        </Suspense>
      )}
    </>
  );
}

/** Left out first where the window is narrow: the rest says it too, or it is rarely needed. */
const lesser: readonly ShownFigure[] = [
  'inserts',
  'updates',
  'deletes',
  'bytesLoaded',
  'failedTables',
  'restarts',
];

function useColumns(open: (id: string) => void): Column<IndexRecord>[] {
  const { t } = useTranslation('statistics');
  return useMemo(
    () => [
      {
        key: 'name',
        title: t('index.name'),
        minWidth: 140,
        essential: true,
        text: ({ name }) => name,
        render: ({ id, name }) => (
          <Button type="link" className="statistics-name" onClick={() => open(id)}>
            {name}
          </Button>
        ),
      },
      ...FIGURES.map(
        ([figure]): Column<IndexRecord> => ({
          key: figure,
          of: ['current', 'before'],
          title: t(`index.${figure}`),
          width: 110,
          align: 'right',
          leaveOut: lesser.includes(figure),
          text: ({ current }) => current[figure],
          render: (record) => <Compared figure={figure} current={record.current} before={record.before} />,
        }),
      ),
      {
        key: 'measuredPercent',
        of: ['current'],
        title: t('index.measured'),
        width: 90,
        align: 'right',
        text: ({ current }) => current.measuredPercent,
        render: ({ current }) => <span className="tabular">{percent(current.measuredPercent, 100)}</span>,
      },
      ...FIGURES.map(
        ([figure]): Column<IndexRecord> => ({
          key: `before-${figure}`,
          of: ['before'],
          title: t('index.ofBefore', { figure: t(`index.${figure}`) }),
          width: 140,
          align: 'right',
          hidden: true,
          text: ({ before }) => before[figure],
          render: ({ before }) => <span className="tabular">{writtenBefore(figure, before[figure])}</span>,
        }),
      ),
    ],
    [t, open],
  );
}

function writtenBefore(figure: ShownFigure, value: number | null): string {
  return FIGURES.find(([name]) => name === figure)?.[1](value) ?? '–';
}

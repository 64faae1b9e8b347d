import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { MetricSubject, TimelineEntry } from '@/shared/api';
import { timelinePageList } from '@/shared/api/lists';
import { useMay } from '@/shared/hooks/use-may';
import { useUrlState } from '@/shared/hooks/use-url-state';
import { duration, time } from '@/shared/lib/figures';
import { paths } from '@/shared/pages/paths';
import { type Column, DataTable, MOMENT_WIDTH, useTableState } from '@/shared/ui/data-table';
import { Moment } from '@/shared/ui/figures';
import { ListChoice } from '@/shared/ui/list-choice';
import { ListSearch } from '@/shared/ui/list-search';
import { LiveMark } from '@/shared/ui/live-mark';
import { LookMark } from '@/shared/ui/state-tag';
import { TimeRange } from '@/shared/ui/time-range';
import { allEntries, useTimeline } from './queries';

const PREFIX = 'timeline-';
const KINDS = ['act', 'alert', 'recovery', 'process', 'load', 'schema', 'plan', 'deployment'] as const;

/** A narrower list begins at its first page, in the same change of the address. */
const defaults = { search: '', kind: '', since: '', until: '', current: 1 };
// An alert and its recovery, a start and an end of one process are of one record.
const keyOf = ({ kind, id, at }: TimelineEntry) => `${kind} ${id} ${at}`;

interface TimelineViewProps {
  kind: MetricSubject;
  id: string;
  /** Where the viewer finds what an entry is about, on pages that have a place for it. */
  placeOf?: (entry: TimelineEntry) => string | undefined;
}

/** What happened to a thing: when, what, by whom, with what result. */
export default function TimelineView({ kind, id, placeOf }: TimelineViewProps) {
  const { t } = useTranslation('metric');
  const state = useTableState(PREFIX);
  const [filter, setFilter] = useUrlState(defaults, PREFIX);
  const narrow = (part: Partial<typeof defaults>) => setFilter({ ...part, current: 1 });
  const query = useTimeline({ kind, id }, state.request, filter);
  const isNarrowed = [filter.search, filter.kind, filter.since, filter.until].some((value) => value !== '');
  return (
    <DataTable
      label={t('timeline.title')}
      name="timeline"
      columns={useColumns(placeOf)}
      list={timelinePageList}
      query={query}
      state={state}
      rowKey={keyOf}
      loadAll={() => allEntries({ kind, id }, state.request, filter)}
      empty={
        isNarrowed
          ? { title: t('timeline.emptyFiltered') }
          : { title: t('timeline.empty'), hint: t('timeline.emptyHint') }
      }
      toolbar={
        <>
          <ListSearch
            label={t('timeline.search')}
            value={filter.search}
            onSearch={(search) => narrow({ search })}
          />
          <ListChoice
            label={t('timeline.kindName')}
            value={filter.kind}
            onChange={(chosen) => narrow({ kind: chosen })}
            options={[
              { value: '', label: t('timeline.anyKind') },
              ...KINDS.map((one) => ({ value: one as string, label: t(`timeline.kind.${one}`) })),
            ]}
          />
          <TimeRange
            labels={{ since: t('timeline.from'), until: t('timeline.until') }}
            since={filter.since}
            until={filter.until}
            onChange={narrow}
          />
        </>
      }
      extra={<LiveMark query={query} />}
    />
  );
}

function useColumns(placeOf: TimelineViewProps['placeOf']): Column<TimelineEntry>[] {
  const { t } = useTranslation('metric');
  const mayOpenLog = useMay('monitor/operation-log')('view');
  return useMemo(() => {
    const placed = (entry: TimelineEntry) =>
      entry.kind === 'act' ? (mayOpenLog ? paths.operation(entry.id) : undefined) : placeOf?.(entry);
    return [
      {
        key: 'at',
        title: t('time'),
        width: MOMENT_WIDTH,
        essential: true,
        text: ({ at }) => time(at),
        render: ({ at }) => <Moment at={at} />,
      },
      {
        key: 'kind',
        type: 'text',
        title: t('timeline.kindName'),
        width: 110,
        text: ({ kind }) => t(`timeline.kind.${kind}`),
      },
      {
        key: 'title',
        title: t('timeline.what'),
        minWidth: 220,
        essential: true,
        text: ({ title }) => title,
        render: (entry) => {
          const place = placed(entry);
          return place ? <Link to={place}>{entry.title}</Link> : entry.title;
        },
      },
      {
        key: 'subject',
        type: 'text',
        title: t('timeline.subject'),
        width: 180,
        text: ({ subject }) => subject,
      },
      { key: 'who', type: 'text', title: t('timeline.who'), width: 110, text: ({ who }) => who },
      {
        key: 'outcome',
        title: t('timeline.outcome'),
        width: 150,
        essential: true,
        text: ({ outcome }) => outcome,
        render: ({ look, outcome }) => (outcome ? <LookMark look={look} label={outcome} /> : '–'),
      },
      {
        key: 'lasted',
        of: ['at', 'until'],
        title: t('timeline.lasted'),
        width: 90,
        align: 'right',
        leaveOut: true,
        render: ({ at, until }) => (until ? duration(Date.parse(until) - Date.parse(at)) : '–'),
      },
      {
        key: 'reason',
        type: 'text',
        title: t('timeline.reason'),
        minWidth: 180,
        length: 60,
        leaveOut: true,
        text: ({ reason }) => reason?.text,
      },
    ];
  }, [t, mayOpenLog, placeOf]);
}

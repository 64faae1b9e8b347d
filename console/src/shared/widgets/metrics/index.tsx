import { Button } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { MetricSubject, SeriesRecord, TimelineEntry } from '@/shared/api';
import { useUrlState } from '@/shared/hooks/use-url-state';
import { duration } from '@/shared/lib/figures';
import { EmptyState } from '@/shared/ui/empty-state';
import { ErrorState } from '@/shared/ui/error-state';
import { LiveMark } from '@/shared/ui/live-mark';
import { LoadingState } from '@/shared/ui/loading-state';
import { useEvents } from '../timeline/queries';
import { MetricChartCard } from './metric-chart';
import { useSeries } from './queries';
import { isLive, type RangeState, usualRange } from './range';
import { RangePicker } from './range-picker';
import './metrics.css';

const MAX_POINTS = 600;

export interface MetricsViewProps {
  kind: MetricSubject;
  id: string;
  /** What downloaded files are called by. */
  name: string;
  /** Of these only; left out: all. */
  metrics?: readonly string[];
}

/** All that was measured of a thing over time, in charts that share range and crosshair. */
export default function MetricsView({ kind, id, name, metrics }: MetricsViewProps) {
  const [range, setRange] = useUrlState(usualRange);
  const query = useSeries(kind, id, range, MAX_POINTS, metrics);
  const { t } = useTranslation('metric');
  const record = query.data;
  const events = useMarked({ kind, id }, range, record);
  return (
    <div className="metrics">
      <div className="metric-bar">
        <RangePicker range={range} end={record?.end} onChange={setRange} />
        {record && <span className="metric-hint">{t('hint', { step: duration(record.step * 1000) })}</span>}
        {events.total > events.records.length && (
          <span className="metric-hint">
            {t('eventsLeftOut', { total: events.total, count: events.records.length })}
          </span>
        )}
        <LiveMark query={query} />
      </div>
      {record ? (
        <Charts record={record} events={events.records} name={name} range={range} onChange={setRange} />
      ) : query.error ? (
        <ErrorState error={query.error} onRetry={query.refetch} />
      ) : (
        <LoadingState rows={10} />
      )}
    </div>
  );
}

/** What happened in the shown range; of one that follows the clock, its start moves by whole tenths. */
function useMarked(
  subject: Pick<MetricsViewProps, 'kind' | 'id'>,
  range: RangeState,
  record: SeriesRecord | undefined,
) {
  const step = record ? (record.end - record.start) / 10 : 1;
  const start = record && Math.floor(record.start / step) * step;
  const query = useEvents(subject, start, isLive(range) ? undefined : record?.end);
  return query.data ?? NO_EVENTS;
}

const NO_EVENTS = { records: [], total: 0 };

interface ChartsProps {
  record: SeriesRecord;
  events: readonly TimelineEntry[];
  name: string;
  range: RangeState;
  onChange: (change: Partial<RangeState>) => void;
}

function Charts({ record, events, name, range, onChange }: ChartsProps) {
  const { t } = useTranslation('metric');
  const syncKey = useId();
  const [hovered, setHovered] = useState<number | null>(null);
  // Where a double click leads back to: what was shown before it was zoomed into.
  const [before, setBefore] = useState<RangeState[]>([]);
  const isEmpty = record.charts.every(({ series }) =>
    series.every(({ values }) => values.every((value) => value === null)),
  );
  const zoom = (from: number, to: number) => {
    setBefore([...before, range]);
    onChange({ range: 'own', from, to });
  };
  const reset = () => {
    onChange(before.at(-1) ?? usualRange);
    setBefore(before.slice(0, -1));
  };
  if (isEmpty) {
    const back = before.length > 0 && <Button onClick={reset}>{t('zoomOut')}</Button>;
    return <EmptyState title={t('empty')} hint={t('emptyHint')} action={back} />;
  }
  return (
    <div className="metric-charts">
      {record.charts.map((chart) => (
        <MetricChartCard
          key={chart.name}
          record={record}
          chart={chart}
          events={events}
          name={name}
          syncKey={syncKey}
          hovered={hovered}
          onHover={setHovered}
          onZoom={zoom}
          onReset={reset}
        />
      ))}
    </div>
  );
}

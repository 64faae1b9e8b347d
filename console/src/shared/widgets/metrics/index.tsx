import { Button, Segmented } from 'antd';
import { lazy, Suspense, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { MetricSubject, SeriesRecord } from '@/shared/api';
import { useUrlState } from '@/shared/hooks/use-url-state';
import { duration } from '@/shared/lib/figures';
import { EmptyState } from '@/shared/ui/empty-state';
import { ErrorState } from '@/shared/ui/error-state';
import { LiveMark } from '@/shared/ui/live-mark';
import { LoadingState } from '@/shared/ui/loading-state';
import { MetricChartCard } from './metric-chart';
import { useSeries } from './queries';
import { isLive, type RangeState, SPANS, spanOf, spans, usualRange } from './range';
import './metrics.css';

const OwnRange = lazy(() => import('./own-range'));
const MAX_POINTS = 600;

export interface MetricsViewProps {
  kind: MetricSubject;
  id: string;
  /** What downloaded files are called by. */
  name: string;
}

/** All that was measured of a thing over time, in charts that share range and crosshair. */
export default function MetricsView({ kind, id, name }: MetricsViewProps) {
  const [range, setRange] = useUrlState(usualRange);
  const query = useSeries(kind, id, range, MAX_POINTS);
  const { t } = useTranslation('metric');
  const record = query.data;
  return (
    <div className="metrics">
      <div className="metric-bar">
        <RangePicker range={range} record={record} onChange={setRange} />
        {record && <span className="metric-hint">{t('hint', { step: duration(record.step * 1000) })}</span>}
        <LiveMark query={query} />
      </div>
      {record ? (
        <Charts record={record} name={name} range={range} onChange={setRange} />
      ) : query.error ? (
        <ErrorState error={query.error} onRetry={query.refetch} />
      ) : (
        <LoadingState rows={10} />
      )}
    </div>
  );
}

interface RangePickerProps {
  range: RangeState;
  record: SeriesRecord | undefined;
  onChange: (change: Partial<RangeState>) => void;
}

function RangePicker({ range, record, onChange }: RangePickerProps) {
  const { t } = useTranslation('metric');
  const shown = isLive(range) ? spanOf(range.range) : 'own';
  const choose = (chosen: string) => {
    if (chosen !== 'own') return onChange({ range: chosen, from: 0, to: 0 });
    const to = record?.end ?? Date.now();
    onChange({ range: 'own', from: Math.round(to - SPANS[spanOf(range.range)] * 1000), to: Math.round(to) });
  };
  return (
    <>
      <Segmented
        aria-label={t('range.label')}
        value={shown}
        onChange={choose}
        options={[
          ...spans.map((span) => ({ value: span as string, label: t(`range.${span}`) })),
          { value: 'own', label: t('range.own') },
        ]}
      />
      {shown === 'own' && (
        <Suspense fallback={null}>
          <OwnRange
            from={range.from}
            to={range.to}
            onChange={(from, to) => onChange({ range: 'own', from, to })}
          />
        </Suspense>
      )}
    </>
  );
}

interface ChartsProps {
  record: SeriesRecord;
  name: string;
  range: RangeState;
  onChange: (change: Partial<RangeState>) => void;
}

function Charts({ record, name, range, onChange }: ChartsProps) {
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

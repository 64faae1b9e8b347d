import type { UseQueryResult } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { HistoryRecord } from '@/shared/api';
import { clock, duration, rate } from '@/shared/lib/figures';
import { ErrorState } from '@/shared/ui/error-state';
import { LoadingState } from '@/shared/ui/loading-state';
import { Panel } from './panel';
import { CHART, highest, paths } from './picture';

/** What passed in the last hour, minute by minute. */
export function HistoryPanel({ query }: { query: UseQueryResult<HistoryRecord> }) {
  const { t } = useTranslation('overview-monitor');
  return (
    <Panel area="history" title={t('history.title')}>
      {query.data ? (
        <Charts history={query.data} />
      ) : query.error ? (
        <ErrorState error={query.error} onRetry={query.refetch} />
      ) : (
        <LoadingState rows={4} />
      )}
    </Panel>
  );
}

/** `HH:mm` */
function minute(at: number): string {
  return clock(at).slice(0, 5);
}

function Charts({ history }: { history: HistoryRecord }) {
  const { t } = useTranslation('overview-monitor');
  const { times, applied, captured, lagMs } = history;
  return (
    <>
      <Chart
        times={times}
        format={rate}
        series={[
          { name: t('history.applied'), values: applied, kind: 'applied' },
          { name: t('history.captured'), values: captured, kind: 'captured' },
        ]}
      />
      <Chart
        times={times}
        format={duration}
        series={[{ name: t('history.lag'), values: lagMs, kind: 'lag' }]}
      />
    </>
  );
}

interface Series {
  name: string;
  values: readonly (number | null)[];
  kind: 'applied' | 'captured' | 'lag';
}

interface ChartProps {
  times: readonly number[];
  series: readonly Series[];
  format: (value: number) => string;
}

function Chart({ times, series, format }: ChartProps) {
  const { t } = useTranslation('overview-monitor');
  const scale = highest(...series.map(({ values }) => values));
  const newest = (values: Series['values']) => values.findLast((value) => value !== null) ?? null;
  const isMeasured = series.some(({ values }) => newest(values) !== null);
  const label = series
    .map(({ name, values }) => {
      const last = newest(values);
      return `${name}: ${last === null ? t('history.unknown') : format(last)}`;
    })
    .join(', ');
  return (
    <figure className="wall-chart">
      <figcaption>
        {series.map(({ name, kind }) => (
          <span key={kind} data-kind={kind}>
            {name}
          </span>
        ))}
        <span className="wall-quiet">
          {isMeasured ? t('history.highest', { value: format(scale) }) : t('history.empty')}
        </span>
      </figcaption>
      <svg
        role="img"
        aria-label={label}
        viewBox={`0 0 ${CHART.width} ${CHART.height}`}
        preserveAspectRatio="none"
      >
        {series.map(({ kind, values }) => {
          const { line, area } = paths(values, scale);
          return (
            <g key={kind} data-kind={kind}>
              <path className="wall-area" d={area} />
              <path className="wall-line" d={line} />
            </g>
          );
        })}
      </svg>
      <div className="wall-axis wall-quiet tabular">
        {[times[0], times[Math.floor(times.length / 2)], times.at(-1)].map((at) => (
          <span key={at}>{at === undefined ? '' : minute(at)}</span>
        ))}
      </div>
    </figure>
  );
}

import { clock } from '@/shared/lib/figures';
import { CHART, highest, paths, type Values } from './geometry';
import './area-chart.css';

export interface AreaSeries {
  name: string;
  /** One for each moment; null where nothing was measured. */
  values: Values;
  /** What it shows, which gives its colour. */
  kind: 'applied' | 'captured' | 'lag';
}

export interface AreaChartTexts {
  highest: (value: string) => string;
  /** Instead of the newest value where none was measured. */
  unknown: string;
  /** Where nothing was measured at all. */
  empty: string;
}

interface AreaChartProps {
  /** Beginnings of the minutes, milliseconds since 1970. */
  times: readonly number[];
  series: readonly AreaSeries[];
  format: (value: number) => string;
  texts: AreaChartTexts;
}

const newest = (values: Values) => values.findLast((value) => value !== null) ?? null;

/** `HH:mm` */
const minute = (at: number) => clock(at).slice(0, 5);

/** Lines over areas on one scale, drawn without a library: for pages that show the past at a glance. */
export function AreaChart({ times, series, format, texts }: AreaChartProps) {
  const scale = highest(...series.map(({ values }) => values));
  const isMeasured = series.some(({ values }) => newest(values) !== null);
  const label = series
    .map(({ name, values }) => {
      const last = newest(values);
      return `${name}: ${last === null ? texts.unknown : format(last)}`;
    })
    .join(', ');
  return (
    <figure className="area-chart">
      <figcaption>
        {series.map(({ name, kind }) => (
          <span key={kind} data-kind={kind}>
            {name}
          </span>
        ))}
        <span className="area-chart-quiet">{isMeasured ? texts.highest(format(scale)) : texts.empty}</span>
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
              <path className="area-chart-area" d={area} />
              <path className="area-chart-line" d={line} />
            </g>
          );
        })}
      </svg>
      <div className="area-chart-axis area-chart-quiet tabular">
        {[times[0], times[Math.floor(times.length / 2)], times.at(-1)].map((at) => (
          <span key={at}>{at === undefined ? '' : minute(at)}</span>
        ))}
      </div>
    </figure>
  );
}

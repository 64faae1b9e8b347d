import { CHART, highest, paths, type Values } from './geometry';
import './area-chart.css';

interface SparklineProps {
  /** One for each moment; null where nothing was measured. */
  values: Values;
  /** Says what is drawn, to screen readers and in the hint. */
  label: string;
}

/** A series in a cell of a table, on a scale of its own. */
export function Sparkline({ values, label }: SparklineProps) {
  const { line, area } = paths(values, highest(values));
  return (
    <svg
      className="sparkline"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${CHART.width} ${CHART.height}`}
      preserveAspectRatio="none"
    >
      <title>{label}</title>
      <path className="area-chart-area" d={area} />
      <path className="area-chart-line" d={line} />
    </svg>
  );
}

export interface ChartSeries {
  name: string;
  /** One for each label; null where nothing was measured. */
  values: readonly (number | null)[];
  /** The same thing has the same colour on every page. */
  colour?: string;
}

export interface ChartProps {
  /** Says the one idea of the chart, also to screen readers. */
  title: string;
  kind: 'line' | 'bar' | 'pie';
  labels: readonly string[];
  /** A pie shows the first series only. */
  series: readonly ChartSeries[];
  /** How a figure is written on the axis, in hints and in the table. */
  format?: (value: number) => string;
  /** Pixels. */
  height?: number;
  /** The series of bars add up. */
  isStacked?: boolean;
  /** Receives the number of the label that was clicked on. */
  onChoose?: (index: number) => void;
}

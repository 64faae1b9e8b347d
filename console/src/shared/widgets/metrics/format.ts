import dayjs from 'dayjs';
import type { MetricChart, MetricSeries } from '@/shared/api';
import { toCsv } from '@/shared/lib/csv';
import { bytes, count, duration, rate } from '@/shared/lib/figures';
import { palette } from '../chart/palette';

type Unit = MetricChart['unit'];

/** How a value of a chart is written. Counters are shown per second. */
export function written(unit: Unit, isCounter: boolean): (value: number) => string {
  if (unit === 'bytes') return isCounter ? (value) => `${bytes(value)}/s` : bytes;
  if (unit === 'ms') return duration;
  if (unit === 'percent') return (value) => `${Math.round(value * 10) / 10}%`;
  return isCounter ? rate : count;
}

/** By how much a counter grew in all. */
export function writtenTotal(unit: Unit, total: number): string {
  return unit === 'bytes' ? bytes(total) : count(total);
}

export function isCounter(series: MetricSeries): boolean {
  return series.type === 'counter';
}

// The same metric has the same colour on every page.
const colours: Record<string, string> = {
  inserts: palette[1],
  updates: palette[0],
  deletes: palette[2],
  row_errors: palette[4],
  failed_tables: palette[3],
};

export function colourOf(series: MetricSeries, index: number): string {
  return colours[series.name] ?? palette[index % palette.length] ?? palette[0];
}

/** A moment on the axis or in the table, as exact as the points lie apart. */
export function moment(milliseconds: number, step: number): string {
  return dayjs(milliseconds).format(step < 60 ? 'YYYY-MM-DD HH:mm:ss' : 'YYYY-MM-DD HH:mm');
}

/** A chart's points as CSV: values are the plain numbers, counters per second; empty where nothing was measured. */
export function chartCsv(chart: MetricChart, times: readonly number[], timeTitle: string): string {
  const unit = (series: MetricSeries) => (isCounter(series) ? `${chart.unit}/s` : chart.unit);
  return toCsv([
    [timeTitle, ...chart.series.map((series) => `${series.label} (${unit(series)})`)],
    ...times.map((at, index) => [
      dayjs(at).format(),
      ...chart.series.map(({ values }) => values[index] ?? null),
    ]),
  ]);
}

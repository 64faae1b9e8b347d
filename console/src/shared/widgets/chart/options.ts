import { resolved } from '@/shared/theme/use-theme';
import { palette } from './palette';
import type { ChartProps } from './props';

function colourOf(index: number, colour: string | undefined): string {
  return resolved(colour ?? palette[index % palette.length] ?? palette[0]);
}

function axes({ labels, kind }: ChartProps, format: (value: number) => string) {
  const axisLabel = { color: resolved('var(--quiet-text)') };
  const splitLine = { lineStyle: { color: resolved('var(--line)') } };
  return {
    grid: { left: 8, right: 16, top: 36, bottom: 8, containLabel: true },
    xAxis: {
      type: 'category' as const,
      data: [...labels],
      boundaryGap: kind === 'bar',
      axisLabel,
    },
    // Amounts are compared by their length, so the axis begins at zero.
    yAxis: { type: 'value' as const, min: 0, splitLine, axisLabel: { ...axisLabel, formatter: format } },
  };
}

function pieSeries({ labels, series }: ChartProps) {
  const values = series[0]?.values ?? [];
  const data = labels.map((name, index) => ({
    name,
    value: values[index] ?? 0,
    itemStyle: { color: colourOf(index, undefined) },
  }));
  // A single part has its label opposite to its start: next to the ring, where there is room for it.
  const place = { startAngle: 180, radius: ['40%', '62%'], center: ['50%', '57%'] };
  return [{ type: 'pie' as const, ...place, data }];
}

function plainSeries({ series, kind, isStacked, onChoose }: ChartProps) {
  return series.map(({ name, values, colour }, index) => ({
    type: kind as 'line' | 'bar',
    name,
    data: [...values],
    color: colourOf(index, colour),
    showSymbol: values.length < 2,
    barMaxWidth: 32,
    ...(isStacked ? { stack: 'all' } : {}),
    cursor: onChoose ? 'pointer' : 'default',
  }));
}

/** Options of the chart library. No animation: live charts change every few seconds. */
export function chartOptions(props: ChartProps) {
  const { kind, format = String } = props;
  const common = {
    animation: false,
    legend: { top: 0, textStyle: { color: resolved('var(--quiet-text)') } },
    tooltip: {
      trigger: kind === 'pie' ? ('item' as const) : ('axis' as const),
      confine: true,
      backgroundColor: resolved('var(--surface)'),
      borderColor: resolved('var(--border)'),
      textStyle: { color: resolved('var(--text)') },
      valueFormatter: (value: unknown) => (typeof value === 'number' ? format(value) : '–'),
    },
  };
  if (kind === 'pie') return { ...common, series: pieSeries(props) };
  return { ...common, ...axes(props, format), series: plainSeries(props) };
}

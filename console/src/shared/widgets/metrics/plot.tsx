import { theme } from 'antd';
import dayjs from 'dayjs';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { MetricChart, TimelineEntry } from '@/shared/api';
import { resolved } from '@/shared/theme/use-theme';
import { colourOf, isCounter, written } from './format';

export interface PlotProps {
  chart: MetricChart;
  /** Milliseconds since 1970. */
  times: readonly number[];
  start: number;
  end: number;
  /** Charts with the same key share the crosshair. */
  syncKey: string;
  height: number;
  /** Marked on the axis of time. */
  events: readonly TimelineEntry[];
  onZoom: (from: number, to: number) => void;
  onReset: () => void;
  /** The point under the crosshair; null: it is nowhere. */
  onHover: (index: number | null) => void;
}

const HOUR = 3600;
const DAY = 86_400;
const MIN_ZOOM = 60_000;
/** Where the axis ends at least, so that its marks differ. */
const MIN_TOP = { rows: 1, bytes: 1024, ms: 10, percent: 1, count: 1 };
const BINARY_STEPS = Array.from({ length: 50 }, (_, power) => 2 ** power);

/** Draws one chart. It is made once; new points only change its data, so that nothing jumps while it lives. */
export default function Plot(props: PlotProps) {
  const { chart, times, start, end, syncKey, height, events } = props;
  const { token } = theme.useToken();
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const latest = useRef(props);
  latest.current = props;
  const names = chart.series.map(({ name, label }) => `${name}:${label}`).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: `names` stands for what is drawn of the chart's series
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const made = new uPlot(
      options(
        latest,
        { text: token.colorTextTertiary, line: token.colorSplit },
        element.clientWidth,
        height,
        syncKey,
      ),
      dataOf(latest.current),
      element,
    );
    plot.current = made;
    const observer = new ResizeObserver(() => {
      if (element.clientWidth > 0) made.setSize({ width: element.clientWidth, height });
    });
    observer.observe(element);
    const reset = () => latest.current.onReset();
    made.over.addEventListener('dblclick', reset);
    return () => {
      observer.disconnect();
      made.destroy();
      plot.current = undefined;
    };
  }, [names, chart.unit, token.colorTextTertiary, token.colorSplit, height, syncKey]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is drawn is read from `latest`
  useEffect(() => {
    plot.current?.setData(dataOf(latest.current), false);
    plot.current?.setScale('x', { min: start / 1000, max: end / 1000 });
  }, [chart, times, start, end]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is drawn is read from `latest`
  useEffect(() => plot.current?.redraw(false), [events]);
  return <div ref={place} className="metric-plot" role="img" aria-label={chart.title} />;
}

function dataOf({ chart, times }: PlotProps): uPlot.AlignedData {
  return [times.map((at) => at / 1000), ...chart.series.map(({ values }) => values as (number | null)[])];
}

function options(
  latest: { current: PlotProps },
  colours: { text: string; line: string },
  width: number,
  height: number,
  syncKey: string,
): uPlot.Options {
  const { chart, start, end } = latest.current;
  const format = written(chart.unit, chart.series.every(isCounter));
  const axis = {
    stroke: colours.text,
    grid: { stroke: colours.line, width: 1 },
    ticks: { stroke: colours.line, width: 1 },
    font: '12px system-ui',
  };
  return {
    width: Math.max(width, 100),
    height,
    legend: { show: false },
    cursor: {
      sync: { key: syncKey, setSeries: false },
      drag: { x: true, y: false, setScale: false },
      bind: { dblclick: () => null },
    },
    scales: {
      x: { time: true, min: start / 1000, max: end / 1000 },
      // Amounts are compared by their height, so the axis begins at zero.
      y: { range: (_, _least, most) => [0, Math.max(most ?? 0, MIN_TOP[chart.unit]) * 1.1] },
    },
    axes: [
      {
        ...axis,
        space: 80,
        values: (_, splits, _axis, _space, apart) => splits.map((at) => clockText(at, apart)),
      },
      {
        ...axis,
        size: 90,
        values: (_, splits) => splits.map(format),
        ...(chart.unit === 'bytes' ? { incrs: BINARY_STEPS } : {}),
      },
    ],
    series: [
      {},
      ...chart.series.map((series, index) => ({
        label: series.label,
        stroke: resolved(colourOf(series, index)),
        width: 1.5,
        spanGaps: false,
      })),
    ],
    hooks: {
      drawAxes: [(made) => markEvents(made, latest.current.events)],
      setCursor: [(made) => latest.current.onHover(made.cursor.idx ?? null)],
      setSelect: [
        (made) => {
          const { left, width: chosen } = made.select;
          if (chosen < 3) return;
          const from = made.posToVal(left, 'x') * 1000;
          const to = made.posToVal(left + chosen, 'x') * 1000;
          made.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
          const middle = (from + to) / 2;
          const half = Math.max(to - from, MIN_ZOOM) / 2;
          latest.current.onZoom(Math.round(middle - half), Math.round(middle + half));
        },
      ],
    },
  };
}

const EVENT_COLOURS = {
  good: 'var(--chart-1)',
  quiet: 'var(--quiet-text)',
  warning: 'var(--warning)',
  bad: 'var(--error)',
} as const;

/** A dashed line at each event's moment, with a mark at the axis. */
function markEvents({ ctx, bbox, scales, valToPos }: uPlot, events: readonly TimelineEntry[]) {
  const { min, max } = scales.x ?? {};
  const bottom = bbox.top + bbox.height;
  const size = 5 * uPlot.pxRatio;
  ctx.save();
  ctx.setLineDash([2 * uPlot.pxRatio, 3 * uPlot.pxRatio]);
  ctx.lineWidth = uPlot.pxRatio;
  for (const { at, look } of events) {
    const second = Date.parse(at) / 1000;
    if (min == null || max == null || second < min || second > max) continue;
    const x = valToPos(second, 'x', true);
    ctx.strokeStyle = ctx.fillStyle = resolved(EVENT_COLOURS[look]);
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bottom);
    ctx.stroke();
    ctx.beginPath();
    ctx.moveTo(x - size, bottom);
    ctx.lineTo(x + size, bottom);
    ctx.lineTo(x, bottom - size);
    ctx.fill();
  }
  ctx.restore();
}

/** A mark of the axis of time; at midnight it is the day. */
function clockText(at: number, apart: number): string {
  const when = dayjs(at * 1000);
  if (apart >= DAY || (when.hour() === 0 && when.minute() === 0 && apart >= HOUR / 12))
    return when.format('MM-DD');
  return when.format(apart < 60 ? 'HH:mm:ss' : 'HH:mm');
}

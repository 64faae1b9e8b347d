import { BarChartOutlined, FileTextOutlined, PictureOutlined, TableOutlined } from '@ant-design/icons';
import { Button, theme } from 'antd';
import { lazy, type ReactNode, Suspense, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { MetricChart, MetricSeries, SeriesRecord, TimelineEntry } from '@/shared/api';
import { saveFile, saveText } from '@/shared/lib/save-file';
import { LoadingState } from '@/shared/ui/loading-state';
import { PlainTable } from '@/shared/ui/plain-table';
import { Tip } from '@/shared/ui/tip';
import { chartCsv, colourOf, isCounter, moment, written, writtenTotal } from './format';
import { chartPicture } from './picture';
import type { PlotProps } from './plot';

const Plot = lazy(() => import('./plot'));
const HEIGHT = 200;

interface ChartProps extends Pick<PlotProps, 'chart' | 'syncKey' | 'onZoom' | 'onReset' | 'onHover'> {
  record: SeriesRecord;
  /** The point shown in the legend; null: the newest measured one. */
  hovered: number | null;
  /** What downloaded files are called by. */
  name: string;
  /** What happened meanwhile. */
  events?: readonly TimelineEntry[];
}

const noEvents: readonly TimelineEntry[] = [];

/** Metrics that belong together over time, and a table of the same data one click away. */
export function MetricChartCard({ record, chart, hovered, name, events = noEvents, ...plot }: ChartProps) {
  const { t } = useTranslation('metric');
  const { token } = theme.useToken();
  const [asTable, setAsTable] = useState(false);
  const card = useRef<HTMLElement>(null);
  const file = `${name}-${chart.name}`;
  const savePicture = async () => {
    const drawn = card.current?.querySelector('canvas');
    const picture = drawn
      ? await chartPicture(drawn, chart, { text: token.colorText, background: token.colorBgContainer })
      : null;
    if (picture) saveFile(`${file}.png`, picture);
  };
  const saveTable = () => saveText(`${file}.csv`, chartCsv(chart, record.times, t('time')), 'text/csv');
  return (
    <figure className="card metric-chart" aria-label={chart.title} ref={card}>
      <figcaption>
        <span className="metric-title">{chart.title}</span>
        <Legend chart={chart} hovered={hovered} />
        <EventLine titles={hovered === null ? [] : titlesAt(events, record, hovered)} />
        <span className="metric-tools">
          <Tool label={t('csv')} icon={<FileTextOutlined />} onClick={saveTable} />
          {!asTable && <Tool label={t('png')} icon={<PictureOutlined />} onClick={savePicture} />}
          <Tool
            label={t(asTable ? 'asChart' : 'asTable')}
            icon={asTable ? <BarChartOutlined /> : <TableOutlined />}
            onClick={() => setAsTable(!asTable)}
          />
        </span>
      </figcaption>
      <div className="metric-area" style={{ height: HEIGHT }}>
        {asTable ? (
          <PointTable chart={chart} record={record} events={events} />
        ) : (
          <Suspense fallback={<LoadingState rows={4} />}>
            <Plot
              {...plot}
              chart={chart}
              events={events}
              times={record.times}
              start={record.start}
              end={record.end}
              height={HEIGHT}
            />
          </Suspense>
        )}
      </div>
    </figure>
  );
}

function Tool({ label, icon, onClick }: { label: string; icon: ReactNode; onClick: () => void }) {
  return (
    <Tip title={label}>
      <Button type="text" icon={icon} aria-label={label} onClick={onClick} />
    </Tip>
  );
}

function Legend({ chart, hovered }: { chart: MetricChart; hovered: number | null }) {
  const { t } = useTranslation('metric');
  return (
    <ul className="metric-legend">
      {chart.series.map((series, index) => {
        const value = valueAt(series, hovered);
        const format = written(chart.unit, isCounter(series));
        return (
          <li key={series.name}>
            <span className="metric-mark" style={{ background: colourOf(series, index) }} />
            {series.label}
            <b className="tabular">{value === null ? '–' : format(value)}</b>
            {series.total !== null && (
              <span className="metric-total">
                {t('total', { total: writtenTotal(chart.unit, series.total) })}
              </span>
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** What happened in a point's interval. */
function titlesAt(events: readonly TimelineEntry[], { times, step }: SeriesRecord, index: number): string[] {
  const from = times[index] ?? Number.NaN;
  const meanwhile = events.filter(({ at }) => Date.parse(at) >= from && Date.parse(at) < from + step * 1000);
  return meanwhile.map(({ title, subject }) => (title.includes(subject) ? title : `${title} · ${subject}`));
}

function EventLine({ titles }: { titles: readonly string[] }) {
  if (titles.length === 0) return null;
  const [first, ...others] = titles;
  return (
    <span className="metric-event">
      {first}
      {others.length > 0 && ` +${others.length}`}
    </span>
  );
}

/** The value at a point, or the newest that was measured. */
function valueAt({ values }: MetricSeries, index: number | null): number | null {
  if (index !== null) return values[index] ?? null;
  return values.findLast((value) => value !== null) ?? null;
}

interface Point {
  at: number;
  index: number;
}

interface PointTableProps extends Pick<ChartProps, 'chart' | 'record'> {
  events: readonly TimelineEntry[];
}

function PointTable({ chart, record, events }: PointTableProps) {
  const { t } = useTranslation('metric');
  const points = record.times.map((at, index): Point => ({ at, index })).reverse();
  const columns = [
    { key: 'time', title: t('time'), render: ({ at }: Point) => moment(at, record.step) },
    ...chart.series.map((series) => ({
      key: series.name,
      title: series.label,
      align: 'right' as const,
      render: ({ index }: Point) => {
        const value = series.values[index] ?? null;
        return value === null ? t('gap') : written(chart.unit, isCounter(series))(value);
      },
    })),
    ...(events.length > 0
      ? [
          {
            key: 'events',
            title: t('events'),
            render: ({ index }: Point) => titlesAt(events, record, index).join(' | '),
          },
        ]
      : []),
  ];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled area must be reachable by keyboard
    <div className="metric-table" tabIndex={0}>
      <PlainTable label={chart.title} columns={columns} rows={points} rowKey={({ at }) => String(at)} />
    </div>
  );
}

import { Drawer } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { IndexDetail } from '@/shared/api';
import { duration, percent, time } from '@/shared/lib/figures';
import { usePageActive } from '@/shared/pages/page-context';
import { ErrorState } from '@/shared/ui/error-state';
import { LiveMark } from '@/shared/ui/live-mark';
import { LoadingState } from '@/shared/ui/loading-state';
import { PlainTable } from '@/shared/ui/plain-table';
import { MetricChartCard } from '@/shared/widgets/metrics/metric-chart';
import { changeOf, FIGURES } from './index-figures';
import { type IndexFilter, useIndex } from './index-queries';
import '@/shared/widgets/metrics/metrics.css';
import './statistics.css';

interface Props {
  /** Null: everything that the viewer may see. */
  id: string | null;
  name: string;
  filter: IndexFilter;
  onZoom: (from: number, to: number) => void;
  onReset: () => void;
  onClose: () => void;
}

/** The figures of a group over time, against the period before. */
export default function IndexDrawer({ id, name, filter, onZoom, onReset, onClose }: Props) {
  const isActive = usePageActive();
  const query = useIndex(id, filter);
  const { data, error, refetch } = query;
  return (
    <Drawer title={name} open={isActive} onClose={onClose} size="max(60%, 960px)" className="metric-drawer">
      {data && (
        <>
          <Counted detail={data} />
          <Charts detail={data} name={name} onZoom={onZoom} onReset={onReset} />
          <Figures detail={data} />
          <LiveMark query={query} />
        </>
      )}
      {!data && (error ? <ErrorState error={error} onRetry={refetch} /> : <LoadingState rows={10} />)}
    </Drawer>
  );
}

/** What was counted: both periods, how closely, and for how much of the time. */
function Counted({ detail }: { detail: IndexDetail }) {
  const { t } = useTranslation('statistics');
  return (
    <p className="metric-hint">
      {t('index.counted', {
        start: time(detail.start),
        end: time(detail.end),
        beforeStart: time(detail.beforeStart),
        beforeEnd: time(detail.beforeEnd),
        interval: duration(detail.intervalMs),
        measured: percent(detail.current.measuredPercent, 100),
      })}
    </p>
  );
}

type ChartsProps = Pick<Props, 'name' | 'onZoom' | 'onReset'> & { detail: IndexDetail };

function Charts({ detail, name, onZoom, onReset }: ChartsProps) {
  const syncKey = useId();
  const [hovered, setHovered] = useState<number | null>(null);
  return (
    <div className="metric-charts statistics-charts">
      {detail.series.charts.map((chart) => (
        <MetricChartCard
          key={chart.name}
          record={detail.series}
          chart={chart}
          name={name}
          syncKey={syncKey}
          hovered={hovered}
          onHover={setHovered}
          onZoom={onZoom}
          onReset={onReset}
        />
      ))}
    </div>
  );
}

function Figures({ detail: { current, before } }: { detail: IndexDetail }) {
  const { t } = useTranslation('statistics');
  const rows = FIGURES.map(([name, written]) => ({ name, written }));
  type Row = (typeof rows)[number];
  return (
    <PlainTable<Row>
      label={t('index.figures')}
      columns={[
        { key: 'name', title: t('index.figure'), render: ({ name }) => t(`index.${name}`) },
        {
          key: 'current',
          title: t('index.current'),
          align: 'right',
          render: ({ name, written }) => written(current[name]),
        },
        {
          key: 'before',
          title: t('index.before'),
          align: 'right',
          render: ({ name, written }) => written(before[name]),
        },
        {
          key: 'change',
          title: t('index.change'),
          align: 'right',
          render: ({ name }) => changeOf(current[name], before[name]) || '–',
        },
      ]}
      rows={rows}
      rowKey={({ name }) => name}
    />
  );
}

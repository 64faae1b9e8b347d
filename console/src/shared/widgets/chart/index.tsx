import { BarChartOutlined, TableOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { lazy, Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '@/shared/ui/empty-state';
import { LoadingState } from '@/shared/ui/loading-state';
import { PlainTable } from '@/shared/ui/plain-table';
import { Tip } from '@/shared/ui/tip';
import type { ChartProps } from './props';
import './chart.css';

const Canvas = lazy(() => import('./canvas'));

/** A chart, and a table of the same data one click away. What draws it is loaded with the first chart. */
export function Chart(props: ChartProps) {
  const { title, labels, height = 240 } = props;
  const { t } = useTranslation();
  const [asTable, setAsTable] = useState(false);
  const label = t(asTable ? 'chart.asChart' : 'chart.asTable');
  return (
    <figure className="chart" aria-label={title}>
      <figcaption>
        <span>{title}</span>
        <Tip title={label}>
          <Button
            type="text"
            icon={asTable ? <BarChartOutlined /> : <TableOutlined />}
            aria-label={label}
            onClick={() => setAsTable(!asTable)}
          />
        </Tip>
      </figcaption>
      <div style={{ height }} className="chart-area">
        {labels.length === 0 ? (
          <EmptyState title={t('chart.empty')} />
        ) : asTable ? (
          <ChartTable {...props} />
        ) : (
          <Suspense fallback={<LoadingState rows={4} />}>
            <Canvas {...props} />
          </Suspense>
        )}
      </div>
    </figure>
  );
}

interface Line {
  label: string;
  values: (number | null)[];
}

function ChartTable({ title, labels, series, kind, format = String }: ChartProps) {
  const { t } = useTranslation();
  const shown = kind === 'pie' ? series.slice(0, 1) : series;
  const rows = useMemo(
    () =>
      labels.map(
        (label, index): Line => ({
          label,
          values: shown.map(({ values }) => values[index] ?? null),
        }),
      ),
    [labels, shown],
  );
  const columns = [
    { key: 'label', title: t('chart.label'), render: ({ label }: Line) => label },
    ...shown.map(({ name }, index) => ({
      key: name,
      title: name,
      align: 'right' as const,
      render: ({ values }: Line) => {
        const value = values[index];
        return value === null || value === undefined ? '–' : format(value);
      },
    })),
  ];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled area must be reachable by keyboard
    <div className="chart-table" tabIndex={0}>
      <PlainTable label={title} columns={columns} rows={rows} rowKey={({ label }) => label} />
    </div>
  );
}

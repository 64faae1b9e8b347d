import { Progress, Tooltip } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { count, fullCount, percent, time, zone } from '@/shared/lib/figures';

/** A count, shortened from ten million with the full figure in the tooltip. */
export function Count({ value }: { value: number | null | undefined }) {
  const text = <span className="tabular">{count(value)}</span>;
  if (value === null || value === undefined || Math.abs(value) < 10_000_000) return text;
  return <Tooltip title={fullCount(value)}>{text}</Tooltip>;
}

/** A moment in the viewer's zone, with the zone in the tooltip. */
export function Moment({ at }: { at: string | null | undefined }) {
  const { t } = useTranslation();
  if (!at) return <span>{time(at)}</span>;
  return (
    <Tooltip title={t('figures.zone', { zone: zone() })}>
      <time dateTime={at} className="tabular">
        {time(at)}
      </time>
    </Tooltip>
  );
}

/** How far something is: a bar, the percent, and both absolute figures. */
export function Share({ done, total, failed = false }: { done: number; total: number; failed?: boolean }) {
  const { t } = useTranslation();
  const figures = t('figures.of', { done: count(done), total: count(total) });
  return (
    <Tooltip title={figures}>
      <Progress
        percent={total > 0 ? Math.min(100, Math.floor((done / total) * 1000) / 10) : 0}
        status={failed ? 'exception' : done >= total && total > 0 ? 'success' : 'normal'}
        format={() => <span className="tabular">{percent(done, total)}</span>}
        aria-label={figures}
        size="small"
      />
    </Tooltip>
  );
}

/** Key figures side by side: a label above, the figure below. */
export function KeyFigures({ children }: { children: ReactNode }) {
  return <dl className="key-figures">{children}</dl>;
}

export function KeyFigure({ label, children }: { label: ReactNode; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd className="tabular">{children}</dd>
    </div>
  );
}

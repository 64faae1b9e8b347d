import i18n from 'i18next';
import type { ReactNode } from 'react';
import { count, duration, fullCount, percent, time, zone } from '@/shared/lib/figures';

// These stand in every cell of long tables, so they are plain elements without hooks: the kit's tooltip alone costs
// more than the row. The language changes only with a reload, so the messages need no subscription.

/** A count, shortened from ten million with the full figure in the tooltip. */
export function Count({ value }: { value: number | null | undefined }) {
  const isShort = typeof value === 'number' && Math.abs(value) >= 10_000_000;
  return (
    <span className="tabular" title={isShort ? fullCount(value) : undefined}>
      {count(value)}
    </span>
  );
}

let zoneWords = { language: '', text: '' };

function zoneText(): string {
  if (zoneWords.language !== i18n.language) {
    zoneWords = { language: i18n.language, text: i18n.t('figures.zone', { zone: zone() }) };
  }
  return zoneWords.text;
}

/** A moment in the viewer's zone, with the zone in the tooltip. */
export function Moment({ at }: { at: string | null | undefined }) {
  if (!at) return <span>{time(at)}</span>;
  return (
    <time dateTime={at} className="tabular" title={zoneText()}>
      {time(at)}
    </time>
  );
}

/** How long it is until a moment, as of now; the moment itself in the tooltip. */
export function TimeUntil({ at }: { at: string | null | undefined }) {
  if (!at) return <span>{time(at)}</span>;
  return (
    <time dateTime={at} className="tabular" title={time(at)}>
      {duration(Date.parse(at) - Date.now())}
    </time>
  );
}

interface ShareProps {
  done: number;
  total: number;
  failed?: boolean;
}

function shareState({ done, total, failed = false }: ShareProps): 'bad' | 'good' | 'busy' {
  if (failed) return 'bad';
  return total > 0 && done >= total ? 'good' : 'busy';
}

/** How far something is: a bar, the percent, and both absolute figures. */
export function Share(props: ShareProps) {
  const { done, total } = props;
  const figures = i18n.t('figures.of', { done: count(done), total: count(total) });
  const width = total > 0 ? Math.min(100, (done / total) * 100) : 0;
  return (
    <span
      className="share"
      role="progressbar"
      aria-valuenow={Math.floor(width)}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-label={figures}
      title={figures}
    >
      <span className="share-bar" data-look={shareState(props)}>
        <span style={{ width: `${width}%` }} />
      </span>
      <span className="share-text tabular">{percent(done, total)}</span>
    </span>
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

import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { WayRecord } from '@/shared/api';
import { useMay } from '@/shared/hooks/use-may';
import { count, duration, rate } from '@/shared/lib/figures';
import { paths } from '@/shared/pages/paths';
import { stateLabel } from '@/shared/ui/state-tag';
import { lookOf } from '@/shared/ui/states';
import { Panel } from './panel';
import { lineWidth } from './picture';

/** The busiest ways: the line between source and target is as wide as much passes, and moves while it does. */
export function WaysPanel({ ways, total }: { ways: readonly WayRecord[]; total: number }) {
  const { t } = useTranslation('overview-monitor');
  const isCut = total > ways.length;
  return (
    <Panel
      area="ways"
      title={t('ways.title')}
      extra={isCut ? t('firstOf', { shown: ways.length, total: count(total) }) : undefined}
    >
      {ways.length === 0 ? (
        <p className="wall-quiet">{t('ways.empty')}</p>
      ) : (
        <ul className="wall-ways">
          {ways.map((way) => (
            <Way key={way.id} way={way} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function Way({ way }: { way: WayRecord }) {
  const { t } = useTranslation('overview-monitor');
  const mayOpen = useMay('sync-link')('view');
  const { name, linkId, source, target, state, rowsPerSecond, lagMs, tables, failed } = way;
  return (
    <li data-look={failed > 0 ? 'bad' : lookOf(state)}>
      <span className="wall-name">{mayOpen ? <Link to={paths.syncLink(linkId)}>{name}</Link> : name}</span>
      <span className="wall-state">
        {failed > 0 ? t('ways.failed', { failed: count(failed), tables: count(tables) }) : stateLabel(state)}
      </span>
      <span className="wall-place" title={source.place.address}>
        {source.place.title}
      </span>
      <FlowLine width={lineWidth(rowsPerSecond)} label={rate(rowsPerSecond)} />
      <span className="wall-place" title={target.place.address}>
        {target.place.title}
      </span>
      <span className="tabular">{duration(lagMs)}</span>
    </li>
  );
}

function FlowLine({ width, label }: { width: number; label: string }) {
  const { t } = useTranslation('overview-monitor');
  return (
    <span className="wall-flow">
      <span className="visually-hidden">{t('ways.to')}</span>
      <svg aria-hidden="true" viewBox="0 0 100 20" preserveAspectRatio="none">
        <line x1="0" y1="10" x2="100" y2="10" className="wall-track" />
        {width > 0 && <line x1="0" y1="10" x2="100" y2="10" className="wall-stream" strokeWidth={width} />}
      </svg>
      <span className="tabular">{label}</span>
    </span>
  );
}

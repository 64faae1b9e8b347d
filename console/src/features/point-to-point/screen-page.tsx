import { ArrowRightOutlined } from '@ant-design/icons';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { WayRecord, WayTotals } from '@/shared/api';
import { count, duration, rate } from '@/shared/lib/figures';
import { paths } from '@/shared/pages/paths';
import { EmptyState } from '@/shared/ui/empty-state';
import { ErrorState } from '@/shared/ui/error-state';
import { LiveMark } from '@/shared/ui/live-mark';
import { LoadingState } from '@/shared/ui/loading-state';
import { StateTip, stateLabel } from '@/shared/ui/state-tag';
import { lookOf } from '@/shared/ui/states';
import { useTotals, useWays } from './queries';
import { ViewNav } from './views';

/** As many as are read from three metres; the busiest first. */
const SHOWN = { current: 1, size: 20, sort: 'rowsPerSecond', order: 'desc' } as const;
const any = { search: '', state: '' };

/** The ways for a screen on the wall: what matters in large figures, then the busiest ways. */
export default function WaysScreenPage() {
  const { t } = useTranslation('point-to-point');
  const totals = useTotals();
  const ways = useWays(SHOWN, any);
  const error = totals.error ?? ways.error;
  const isThere = totals.data !== undefined && ways.data !== undefined;
  return (
    <div className="ways">
      <h1 className="visually-hidden">{t('title')}</h1>
      <ViewNav view="screen" />
      <div className={isThere ? 'ways-screen' : undefined}>
        {isThere ? (
          <>
            <Totals totals={totals.data} />
            {ways.data.records.map((way) => (
              <Way key={way.id} way={way} />
            ))}
            {ways.data.total === 0 && <EmptyState title={t('empty')} hint={t('emptyHint')} />}
            <LiveMark query={ways} />
          </>
        ) : error ? (
          <ErrorState error={error} onRetry={() => Promise.all([totals.refetch(), ways.refetch()])} />
        ) : (
          <LoadingState rows={10} />
        )}
      </div>
    </div>
  );
}

function Totals({ totals }: { totals: WayTotals }) {
  const { t } = useTranslation('point-to-point');
  const figures = [
    ['beating', `${count(totals.states.beating)} / ${count(totals.ways)}`],
    ['standing', count(totals.states.standing)],
    ['tables', count(totals.tables)],
    ['failed', count(totals.failed)],
    ['rate', rate(totals.rowsPerSecond)],
    ['lag', duration(totals.lagMs)],
  ] as const;
  const troubled = { standing: (totals.states.standing ?? 0) > 0, failed: totals.failed > 0 };
  return (
    <dl className="ways-totals">
      {figures.map(([name, figure]) => (
        <div key={name} data-troubled={name in troubled && troubled[name as keyof typeof troubled]}>
          <dt>{t(`screen.${name}`)}</dt>
          <dd className="tabular">{figure}</dd>
        </div>
      ))}
    </dl>
  );
}

function Way({ way }: { way: WayRecord }) {
  const { t } = useTranslation('point-to-point');
  const { name, linkId, source, target, state, rowsPerSecond, lagMs, tables, failed } = way;
  return (
    <article className="ways-line" data-look={lookOf(state)}>
      <Link to={paths.syncLink(linkId)}>{name}</Link>
      <span className="ways-place">
        {source.place.title} <ArrowRightOutlined aria-label={t('to')} /> {target.place.title}
      </span>
      <StateTip state={state}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the tooltip must be reachable by keyboard */}
        <span className="ways-state" tabIndex={0}>
          {stateLabel(state)}
        </span>
      </StateTip>
      <span className="tabular">
        {failed > 0
          ? t('tablesFailed', { tables: count(tables), failed: count(failed) })
          : t('tableCount', { count: tables })}
      </span>
      <span className="tabular">{rate(rowsPerSecond)}</span>
      <span className="tabular">{duration(lagMs)}</span>
    </article>
  );
}

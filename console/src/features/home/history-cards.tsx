import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { AgentRecord, DayVolume, HomeHistory, Overview } from '@/shared/api';
import { useMay } from '@/shared/hooks/use-may';
import { bytes, count, duration, rate, time } from '@/shared/lib/figures';
import { paths } from '@/shared/pages/paths';
import { Card } from '@/shared/ui/card';
import { ErrorState } from '@/shared/ui/error-state';
import { Share, TimeUntil } from '@/shared/ui/figures';
import { LoadingState } from '@/shared/ui/loading-state';
import { AreaChart, type AreaChartTexts } from '@/shared/widgets/area-chart';
import { useHistory, useServices } from './queries';

const SHOWN_LOGS = 5;

function LastHour({ history }: { history: HomeHistory }) {
  const { t } = useTranslation('home');
  const texts: AreaChartTexts = {
    highest: (value) => t('history.highest', { value }),
    unknown: t('history.unknown'),
    empty: t('history.empty'),
  };
  const { times, rowsPerSecond, lagMs } = history;
  return (
    <Card title={t('history.hour')}>
      <div className="home-charts">
        <AreaChart
          texts={texts}
          times={times}
          format={rate}
          series={[{ name: t('history.applied'), values: rowsPerSecond, kind: 'applied' }]}
        />
        <AreaChart
          texts={texts}
          times={times}
          format={duration}
          series={[{ name: t('history.lag'), values: lagMs, kind: 'lag' }]}
        />
      </div>
    </Card>
  );
}

const volume = ({ changes, rowsLoaded }: DayVolume) => (changes ?? 0) + (rowsLoaded ?? 0);

function Day({ day, most }: { day: DayVolume; most: number }) {
  const { t } = useTranslation('home');
  const { at, changes, rowsLoaded } = day;
  const date = time(at).slice(0, 10);
  const isMeasured = changes !== null || rowsLoaded !== null;
  const label = isMeasured
    ? t('history.ofDay', { date, changes: count(changes), loaded: count(rowsLoaded) })
    : t('history.notOfDay', { date });
  const height = (rows: number | null) => `${most > 0 ? (100 * (rows ?? 0)) / most : 0}%`;
  return (
    <li>
      <span className="home-bars" role="img" aria-label={label} title={label}>
        <span data-kind="loaded" style={{ height: height(rowsLoaded) }} />
        <span data-kind="changes" style={{ height: height(changes) }} />
      </span>
      <span className="tabular">{date.slice(5)}</span>
    </li>
  );
}

function Days({ days }: { days: readonly DayVolume[] }) {
  const { t } = useTranslation('home');
  const most = Math.max(0, ...days.map(volume));
  return (
    <Card title={t('history.days')}>
      <p className="home-legend">
        <span data-kind="changes">{t('history.changes')}</span>
        <span data-kind="loaded">{t('history.loaded')}</span>
        <span className="home-quiet">
          {most > 0 ? t('history.highest', { value: count(most) }) : t('history.empty')}
        </span>
      </p>
      <ol className="home-days" aria-label={t('history.days')}>
        {days.map((day) => (
          <Day key={day.at} day={day} most={most} />
        ))}
      </ol>
    </Card>
  );
}

/** The disks of the hosts, the fullest first, and the logs that sources keep for this platform. */
function Capacity({ agents }: { agents: readonly AgentRecord[] }) {
  const { t } = useTranslation('home');
  const { data: services } = useServices();
  const share = ({ diskUsed, diskTotal }: AgentRecord) => (diskUsed ?? 0) / (diskTotal ?? 1);
  const disks = agents
    .filter(({ diskTotal }) => diskTotal)
    .toSorted((one, other) => share(other) - share(one))
    .slice(0, SHOWN_LOGS);
  const logs = (services ?? [])
    .filter(({ backlogBytes }) => backlogBytes)
    .toSorted((one, other) => (other.backlogBytes ?? 0) - (one.backlogBytes ?? 0))
    .slice(0, SHOWN_LOGS);
  return (
    <Card title={t('capacity.title')}>
      <dl className="home-capacity">
        {disks.map((agent) => (
          <div key={agent.id}>
            <dt>{t('capacity.disk', { host: agent.host })}</dt>
            <dd>
              <Share done={agent.diskUsed ?? 0} total={agent.diskTotal ?? 0} failed={share(agent) > 0.9} />{' '}
              <span className="home-quiet">
                {t('capacity.of', { used: bytes(agent.diskUsed), total: bytes(agent.diskTotal) })}
              </span>
            </dd>
          </div>
        ))}
        {logs.map((service) => (
          <div key={service.id}>
            <dt>{t('capacity.log', { service: service.serviceName })}</dt>
            <dd className="tabular">{bytes(service.backlogBytes)}</dd>
          </div>
        ))}
      </dl>
      {disks.length === 0 && <p className="home-quiet">{t('capacity.noDisk')}</p>}
      {logs.length === 0 && <p className="home-quiet">{t('capacity.noLog')}</p>}
    </Card>
  );
}

function Plans({ plans }: { plans: HomeHistory['plans'] }) {
  const { t } = useTranslation('home');
  return (
    <Card title={t('plans.title')} extra={<Link to={paths.taskPlans()}>{t('plans.all')}</Link>}>
      {plans.length === 0 && <p className="home-quiet">{t('plans.none')}</p>}
      <dl className="home-capacity">
        {plans.map(({ id, name, nextAt }) => (
          <div key={id}>
            <dt>{name}</dt>
            <dd>
              {time(nextAt)}{' '}
              <span className="home-quiet">
                {t('plans.in')} <TimeUntil at={nextAt} />
              </span>
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

/** The past, what is left of disks, and what comes next: loaded behind the present. */
export default function HistoryCards({ overview }: { overview: Overview }) {
  const query = useHistory();
  const may = useMay('sync-link');
  const mayPlans = useMay('task')('view');
  if (query.isPending) return <LoadingState rows={4} />;
  if (!query.data) return <ErrorState error={query.error} onRetry={query.refetch} />;
  return (
    <div className="home-history">
      <LastHour history={query.data} />
      <Days days={query.data.days} />
      {may('view') && <Capacity agents={overview.agents} />}
      {mayPlans && <Plans plans={query.data.plans} />}
    </div>
  );
}

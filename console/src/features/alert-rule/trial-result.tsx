import { Alert } from 'antd';
import { useTranslation } from 'react-i18next';
import type { MetricChoice, RuleTrialRecord } from '@/shared/api';
import { count, duration } from '@/shared/lib/figures';
import { Moment } from '@/shared/ui/figures';
import { PlainTable } from '@/shared/ui/plain-table';
import { shown } from './figures';

type Episode = RuleTrialRecord['episodes'][number];

const SHOWN = 50;

/** When a rule would have fired: a strip of the time, and the newest of its alerts as a table. */
export function TrialResult({ found, metric }: { found: RuleTrialRecord; metric: MetricChoice }) {
  const { t } = useTranslation('alert-rule');
  const numbers = { shown: count(found.total), subjects: count(found.tried) };
  const percent = (found.measured * 100).toFixed(found.measured < 0.1 ? 1 : 0);
  return (
    <>
      <p>
        <strong>{t(found.total ? 'trialFired' : 'trialQuiet', numbers)}</strong>
      </p>
      {found.subjects === 0 && <Alert type="warning" showIcon title={t('trialNothing')} />}
      {found.subjects > 0 && found.measured < 1 && (
        <Alert type="info" showIcon title={t('trialMeasured', { percent })} />
      )}
      {found.tried < found.subjects && (
        <Alert
          type="warning"
          showIcon
          title={t('trialPart', { tried: count(found.tried), subjects: count(found.subjects) })}
        />
      )}
      {found.total > 0 && (
        <>
          <Strip found={found} />
          <Episodes episodes={found.episodes.slice(0, SHOWN)} metric={metric} until={found.end} />
          {found.total > SHOWN && <p>{t('trialNewest', { shown: SHOWN })}</p>}
        </>
      )}
    </>
  );
}

/** The alerts on the time axis; the table below says the same. */
function Strip({ found: { start, end, episodes } }: { found: RuleTrialRecord }) {
  const [first, last] = [Date.parse(start), Date.parse(end)];
  const place = (at: number) => `${((at - first) / (last - first)) * 100}%`;
  return (
    <div className="alert-rule-strip" aria-hidden>
      <div>
        {episodes.map(({ id, firedAt, endedAt, missing }) => {
          const [from, to] = [Date.parse(firedAt), endedAt ? Date.parse(endedAt) : last];
          return (
            <span
              key={`${id} ${firedAt}`}
              data-missing={missing}
              style={{ insetInlineStart: place(from), width: `${((to - from) / (last - first)) * 100}%` }}
            />
          );
        })}
      </div>
      <p>
        <Moment at={start} />
        <Moment at={end} />
      </p>
    </div>
  );
}

interface EpisodesProps {
  episodes: readonly Episode[];
  metric: MetricChoice;
  until: string;
}

function Episodes({ episodes, metric, until }: EpisodesProps) {
  const { t } = useTranslation('alert-rule');
  const lasted = ({ firedAt, endedAt }: Episode) => Date.parse(endedAt ?? until) - Date.parse(firedAt);
  return (
    <PlainTable<Episode>
      label={t('trialAlerts')}
      rows={episodes}
      rowKey={({ id, firedAt }) => `${id} ${firedAt}`}
      columns={[
        { key: 'firedAt', title: t('moments.firedAt'), render: ({ firedAt }) => <Moment at={firedAt} /> },
        { key: 'name', title: t('object'), render: ({ name }) => name },
        {
          key: 'lasted',
          title: t('lasted'),
          align: 'right',
          render: (one) => `${duration(lasted(one))}${one.endedAt ? '' : ` ${t('lasts')}`}`,
        },
        {
          key: 'peak',
          title: t('peak'),
          align: 'right',
          render: ({ peak }) => (peak === null ? t('states.missing') : shown(peak, metric)),
        },
      ]}
    />
  );
}

import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call, operationLogVerifyNow, type ProofRecord } from '@/shared/api';
import { notify } from '@/shared/lib/notices';
import { reportFailure } from '@/shared/lib/report-failure';
import { Count, Moment } from '@/shared/ui/figures';
import { LookMark } from '@/shared/ui/state-tag';
import { useProof, useRefreshProof, useStreams } from './queries';

const looks = { intact: 'good', broken: 'bad', unverified: 'warning' } as const;

/** When the chain of the log was verified last, what that proved, and where it breaks. */
export function ChainProof() {
  const { t } = useTranslation('audit-log');
  const { data: proof, error } = useProof();
  if (error) return <p className="chain-proof">{t('proof.unknown', { reason: error.message })}</p>;
  if (!proof) return <p className="chain-proof" aria-busy="true" />;
  return (
    <section className="chain-proof" aria-label={t('proof.title')}>
      <div className="chain-line">
        <LookMark look={looks[proof.state]} label={t(`proof.states.${proof.state}`)} />
        {proof.checkedAt && (
          <span>
            {t('proof.checkedAt')} <Moment at={proof.checkedAt} /> ({proof.host})
          </span>
        )}
        {proof.wholeAt && (
          <span>
            {t('proof.wholeAt')} <Moment at={proof.wholeAt} />
          </span>
        )}
        {proof.records !== null && (
          <span>
            {t('proof.records')} <Count value={proof.records} />
          </span>
        )}
        {proof.mayVerify && <VerifyButton />}
      </div>
      {proof.mayVerify && <Streams />}
      {proof.state === 'broken' && <Breaks proof={proof} />}
    </section>
  );
}

/** The receivers outside of the platform, with what they do not have. */
function Streams() {
  const { t } = useTranslation('audit-log');
  const streams = useStreams().data ?? [];
  if (streams.length === 0) return null;
  return (
    <ul className="chain-streams" aria-label={t('stream.title')}>
      {streams.map(({ way, address, waiting, lost, failingSince, failure }) => (
        <li key={way}>
          <LookMark
            look={failingSince ? 'bad' : lost ? 'warning' : 'good'}
            label={t(failingSince ? 'stream.failing' : 'stream.running')}
          />{' '}
          {address} · {t('stream.waiting', { count: waiting })}
          {lost > 0 && ` · ${t('stream.lost', { count: lost })}`}
          {failingSince && (
            <>
              {' · '}
              {failure} (<Moment at={failingSince} />)
            </>
          )}
        </li>
      ))}
    </ul>
  );
}

function VerifyButton() {
  const { t } = useTranslation('audit-log');
  const refresh = useRefreshProof();
  const [isRunning, setRunning] = useState(false);
  const verify = async () => {
    setRunning(true);
    try {
      const { state } = await call(operationLogVerifyNow({ body: {} })).catch(reportFailure('submit'));
      notify(state === 'intact' ? 'success' : 'error', t(`proof.found.${state}`));
      await refresh();
    } catch {
      // `reportFailure` showed it.
    } finally {
      setRunning(false);
    }
  };
  return (
    <Button size="small" loading={isRunning} onClick={verify}>
      {t('proof.verify')}
    </Button>
  );
}

function Breaks({ proof: { breakCount, breaks = [] } }: { proof: ProofRecord }) {
  const { t } = useTranslation('audit-log');
  return (
    <div role="alert">
      <p>{t('proof.breaks', { count: breakCount })}</p>
      {breaks.length > 0 && (
        <ul>
          {breaks.map(({ text, sequence, recordId, at }) => (
            <li key={`${sequence} ${recordId} ${text}`}>
              {text}
              {sequence !== null && ` · ${t('proof.sequence', { sequence })}`}
              {recordId && ` · ${t('proof.record', { id: recordId })}`}
              {at && (
                <>
                  {' · '}
                  <Moment at={at} />
                </>
              )}
            </li>
          ))}
        </ul>
      )}
      <p>{t('proof.remedy')}</p>
    </div>
  );
}

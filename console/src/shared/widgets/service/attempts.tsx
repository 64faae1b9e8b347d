import { useTranslation } from 'react-i18next';
import type { AttemptRecord, ManagedService } from '@/shared/api';
import { ErrorState } from '@/shared/ui/error-state';
import { Moment } from '@/shared/ui/figures';
import { LoadingState } from '@/shared/ui/loading-state';
import { PlainTable } from '@/shared/ui/plain-table';
import { useAttempts } from './queries';

/** Why a service is as it is, and how its last runs ended. */
export function Attempts({ id, reason }: Pick<ManagedService, 'id' | 'reason'>) {
  const { t } = useTranslation('service');
  const { data, error, refetch } = useAttempts(id);
  return (
    <div className="service-attempts">
      {reason && (
        <p>
          {reason.text} {reason.remedy}
        </p>
      )}
      {!data && !error && <LoadingState rows={2} />}
      {!data && error && <ErrorState error={error} onRetry={refetch} />}
      {data?.attempts.length === 0 && <p>{t('noAttempts')}</p>}
      {data && data.attempts.length > 0 && (
        <PlainTable<AttemptRecord>
          label={t('attempts')}
          rows={data.attempts}
          rowKey={({ startedAt }) => startedAt}
          columns={[
            {
              key: 'startedAt',
              title: t('began'),
              width: 180,
              render: ({ startedAt }) => <Moment at={startedAt} />,
            },
            {
              key: 'endedAt',
              title: t('ended'),
              width: 180,
              render: ({ endedAt }) => <Moment at={endedAt} />,
            },
            { key: 'result', title: t('result'), width: 120, render: ({ result }) => result },
            { key: 'reason', title: t('cause'), render: ({ reason: cause }) => cause?.text ?? '–' },
          ]}
        />
      )}
    </div>
  );
}

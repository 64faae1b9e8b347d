import { useTranslation } from 'react-i18next';
import type { ManagedService } from '@/shared/api';
import { ErrorState } from '@/shared/ui/error-state';
import { LoadingState } from '@/shared/ui/loading-state';
import { AttemptList } from './attempt-list';
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
      {data && data.attempts.length > 0 && <AttemptList service={id} attempts={data.attempts} />}
    </div>
  );
}

import { Alert } from 'antd';
import { useTranslation } from 'react-i18next';
import type { ReasonRecord } from '@/shared/api';

/** Says that the agent is silent, so that what is shown is old. */
export function StaleAlert({ at }: { at: string }) {
  const { t } = useTranslation('sync');
  return (
    <Alert
      className="sync-alert"
      type="warning"
      showIcon
      role="status"
      title={t('alert.stale', { time: at })}
    />
  );
}

/** Why a link is as it is, and what to do. */
export function ReasonAlert({ reason, state }: { reason: ReasonRecord; state: string }) {
  return (
    <Alert
      className="sync-alert"
      type={state === 'error' ? 'error' : 'warning'}
      showIcon
      role="status"
      title={reason.text}
      description={reason.remedy || undefined}
    />
  );
}

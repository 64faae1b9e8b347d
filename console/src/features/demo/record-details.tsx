import { useTranslation } from 'react-i18next';
import type { OperationRecord } from '@/shared/api';
import { ErrorState } from '@/shared/ui/error-state';
import { LoadingState } from '@/shared/ui/loading-state';
import { useRecord } from './queries';

function Values({ title, value }: { title: string; value: unknown }) {
  return (
    <div>
      <strong>{title}</strong>
      <pre>{value === null || value === undefined ? '–' : JSON.stringify(value, undefined, 2)}</pre>
    </div>
  );
}

/** What was before and after a call, as the server kept it, and why it failed. */
export function RecordDetails({ id }: { id: string }) {
  const { t } = useTranslation('demo');
  const { data, error, refetch } = useRecord(id);
  if (!data) return error ? <ErrorState error={error} onRetry={refetch} /> : <LoadingState rows={3} />;
  return (
    <div className="demo-before-after">
      {data.errorCode && <Values title={t('records.failed')} value={data.errorCode} />}
      <Values title={t('records.before')} value={data.before} />
      <Values title={t('records.after')} value={data.after} />
    </div>
  );
}

export function detailsOf({ id }: OperationRecord) {
  return <RecordDetails id={id} />;
}

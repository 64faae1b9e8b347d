import { useTranslation } from 'react-i18next';
import { notify } from '@/shared/lib/notices';
import type { TableResult } from '@/shared/widgets/sync/results-dialog';

export interface ResultHandlers {
  /** Called where some could not be moved. */
  onResults: (results: readonly TableResult[]) => void;
  /** Called in any case. */
  onDone?: () => void;
}

/** Says what became of tables that were to move. */
export function useReportResults({ onResults, onDone }: ResultHandlers) {
  const { t } = useTranslation('subscribe');
  return (results: readonly TableResult[]) => {
    const done = results.filter((result) => result.done).length;
    if (done < results.length) onResults(results);
    else notify('success', t('move.done', { count: done }));
    onDone?.();
  };
}

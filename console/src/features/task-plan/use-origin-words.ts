import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { RunRecord } from '@/shared/api';

/** What a run was started by, in a line. */
export function useOriginWords(): (run: RunRecord) => string {
  const { t } = useTranslation('task-plan');
  return useCallback(
    ({ origin, askedBy }) =>
      origin === 'manual' || origin === 'backfill'
        ? t(`run.${origin}`, { user: askedBy })
        : t(`run.origins.${origin}`),
    [t],
  );
}

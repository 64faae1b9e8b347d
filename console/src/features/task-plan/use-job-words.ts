import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { JobRecord } from '@/shared/api';

/** What a job does, in a line. */
export function useJobWords(): (job: JobRecord) => string {
  const { t } = useTranslation('task-plan');
  return useCallback(
    ({ type, repair, tables, linkName }) => {
      const what = t(repair ? 'job.compare-repair' : `job.${type}`);
      const link = linkName ?? t('job.linkGone');
      return tables ? t('job.ofTables', { what, link, count: tables.length }) : `${what} · ${link}`;
    },
    [t],
  );
}

import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { JobRecord } from '@/shared/api';

/** What a job does, in a line. */
export function useJobWords(): (job: JobRecord) => string {
  const { t } = useTranslation('task-plan');
  return useCallback(
    ({
      type,
      repair,
      tables,
      linkName,
      clean,
      sqlName,
      backup,
      distribution,
      policyName,
      export: exported,
    }) => {
      if (type === 'sql') return t('job.ofSql', { name: sqlName ?? t('job.sqlGone') });
      if (exported) return t('job.ofExport', { name: sqlName ?? t('job.sqlGone'), file: exported.file });
      if (backup) return t('job.ofBackup', { count: backup.keep });
      if (distribution) {
        const name = policyName ?? t('job.policyGone');
        const { version } = distribution;
        return version ? t('job.ofVersion', { name, version }) : t('job.ofNewest', { name });
      }
      if (clean) {
        const what = clean.histories.map((kind) => t(`historyKinds.${kind}`)).join(t('job.and'));
        return t('job.ofHistories', { what, count: clean.olderThanDays });
      }
      const what = t(repair ? 'job.compare-repair' : `job.${type}`);
      const link = linkName ?? t('job.linkGone');
      return tables ? t('job.ofTables', { what, link, count: tables.length }) : `${what} · ${link}`;
    },
    [t],
  );
}

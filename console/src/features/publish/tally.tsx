import { CloseCircleFilled } from '@ant-design/icons';
import { useTranslation } from 'react-i18next';
import type { PublishCounts } from '@/shared/api';
import { count } from '@/shared/lib/figures';

const groups = ['releasing', 'publishing', 'waiting', 'failed'] as const;

/** Published tables of a node and their total; then failed ones; all groups in the tooltip. */
export function PublishTally({ tables }: { tables: PublishCounts }) {
  const { t } = useTranslation('publish');
  const hint = groups
    .filter((group) => tables[group] > 0)
    .map((group) => `${t(`tally.${group}`)} ${count(tables[group])}`)
    .join(' · ');
  return (
    <span className="tabular" title={hint}>
      {count(tables.releasing)} / {count(tables.total)}
      {tables.failed > 0 && (
        <span
          className="sync-failed"
          role="img"
          aria-label={t('tally.failedCount', { count: tables.failed })}
        >
          {' '}
          <CloseCircleFilled aria-hidden /> {count(tables.failed)}
        </span>
      )}
    </span>
  );
}

import { CloseCircleFilled } from '@ant-design/icons';
import { useTranslation } from 'react-i18next';
import type { TableCounts } from '@/shared/api';
import { count } from '@/shared/lib/figures';
import { Tip } from '@/shared/ui/tip';

const groups = ['running', 'loading', 'waiting', 'finished', 'suspended', 'error'] as const;

interface Props {
  tables: TableCounts;
  /** Failed ones as icon and number only; the tooltip holds the words. */
  compact?: boolean;
}

/** Running tables of a link and their total; then failed ones; all groups in the tooltip. */
export function TableTally({ tables, compact = false }: Props) {
  const { t } = useTranslation('sync');
  const hint = groups
    .filter((group) => tables[group] > 0)
    .map((group) => `${t(`tally.${group}`)} ${count(tables[group])}`)
    .join(' · ');
  return (
    <Tip title={hint}>
      <span className="tabular">
        {count(tables.running + tables.loading)} / {count(tables.total)}
        {tables.error > 0 && (
          <span className="sync-failed">
            {' '}
            <CloseCircleFilled aria-hidden />{' '}
            {compact ? (
              <span aria-label={t('tally.failed', { count: tables.error })} role="img">
                {count(tables.error)}
              </span>
            ) : (
              t('tally.failed', { count: tables.error })
            )}
          </span>
        )}
      </span>
    </Tip>
  );
}

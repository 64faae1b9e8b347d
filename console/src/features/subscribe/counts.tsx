import { CloseCircleFilled } from '@ant-design/icons';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { TableCounts } from '@/shared/api';
import { count } from '@/shared/lib/figures';

const groups = ['running', 'finished', 'loading', 'waiting', 'suspended', 'error'] as const;

/** Number of tables, then of failed ones, with all groups in the tooltip; links to them. */
export function Counts({ tables, to }: { tables: TableCounts; to: string }) {
  const { t } = useTranslation('subscribe');
  const hint = groups
    .filter((group) => tables[group] > 0)
    .map((group) => `${t(`tally.${group}`)} ${count(tables[group])}`)
    .join(' · ');
  return (
    <Link to={to} className="tabular" title={hint}>
      {count(tables.total)}
      {tables.error > 0 && (
        <span className="sync-failed" role="img" aria-label={t('tally.failed', { count: tables.error })}>
          {' '}
          <CloseCircleFilled aria-hidden /> {count(tables.error)}
        </span>
      )}
    </Link>
  );
}

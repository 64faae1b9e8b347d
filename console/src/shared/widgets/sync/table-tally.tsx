import { CloseCircleFilled } from '@ant-design/icons';
import { Tooltip } from 'antd';
import { useTranslation } from 'react-i18next';
import type { TableCounts } from '@/shared/api';
import { count } from '@/shared/lib/figures';

const groups = ['running', 'loading', 'waiting', 'finished', 'suspended', 'error'] as const;

/** How many of a link's tables work, of how many; failed ones are counted beside it, all groups in the tooltip. */
export function TableTally({ tables }: { tables: TableCounts }) {
  const { t } = useTranslation('sync');
  const hint = groups
    .filter((group) => tables[group] > 0)
    .map((group) => `${t(`tally.${group}`)} ${count(tables[group])}`)
    .join(' · ');
  return (
    <Tooltip title={hint}>
      <span className="tabular">
        {count(tables.running + tables.loading)} / {count(tables.total)}
        {tables.error > 0 && (
          <span className="sync-failed">
            {' '}
            <CloseCircleFilled aria-hidden /> {t('tally.failed', { count: tables.error })}
          </span>
        )}
      </span>
    </Tooltip>
  );
}

import { CheckCircleOutlined, WarningOutlined } from '@ant-design/icons';
import type { UseQueryResult } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { clock } from '@/shared/lib/figures';

/** The moment of the last figure of a live page; says so when the connection is lost and what is shown is old. */
export function LiveMark({ query }: { query: Pick<UseQueryResult, 'dataUpdatedAt' | 'isError'> }) {
  const { t } = useTranslation();
  // With nothing to show yet, the page itself says what failed.
  if (query.dataUpdatedAt === 0 && query.isError) return null;
  if (query.dataUpdatedAt === 0) return <span className="live-mark">{t('live.connecting')}</span>;
  const at = clock(query.dataUpdatedAt);
  return (
    <span className="live-mark" data-stale={query.isError} role={query.isError ? 'status' : undefined}>
      {query.isError ? <WarningOutlined /> : <CheckCircleOutlined />}
      {query.isError ? t('live.lost', { time: at }) : t('live.asOf', { time: at })}
    </span>
  );
}

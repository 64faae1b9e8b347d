import { Pagination } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '@/shared/ui/empty-state';
import { ErrorState } from '@/shared/ui/error-state';
import { LoadingState } from '@/shared/ui/loading-state';
import { AlertEntry } from './entry';
import { PAGE_SIZE, useAlerts, type View } from './queries';

interface AlertListProps {
  view: View;
  /** What is said where there are none. */
  empty: string;
  /** The viewer follows a link to another page. */
  onLeave: () => void;
}

/** One page of alerts, the newest first. */
export function AlertList({ view, empty, onLeave }: AlertListProps) {
  const { t } = useTranslation(['alert', 'common']);
  const [current, setCurrent] = useState(1);
  const { data, error, refetch } = useAlerts(view, current);
  const last = data ? Math.max(1, Math.ceil(data.total / PAGE_SIZE)) : current;
  // The last alert of the last page was read: the page before it is the last one now.
  if (current > last) setCurrent(last);
  if (!data) return error ? <ErrorState error={error} onRetry={refetch} /> : <LoadingState rows={6} />;
  if (data.total === 0) return <EmptyState title={empty} hint={t('alert:emptyHint')} />;
  return (
    <>
      <ul className="alert-list">
        {data.records.map((alert) => (
          <AlertEntry key={alert.id} alert={alert} onLeave={onLeave} />
        ))}
      </ul>
      <Pagination
        align="end"
        current={current}
        pageSize={PAGE_SIZE}
        total={data.total}
        showSizeChanger={false}
        showQuickJumper
        showTotal={(total) => t('common:table.total', { total })}
        onChange={setCurrent}
      />
    </>
  );
}

import { useTranslation } from 'react-i18next';
import type { StatusStatistics } from '@/shared/api';
import { Card } from '@/shared/ui/card';
import { EmptyState } from '@/shared/ui/empty-state';
import { Count } from '@/shared/ui/figures';
import { PlainTable } from '@/shared/ui/plain-table';
import { StateTag } from '@/shared/ui/state-tag';
import { serviceTitle } from '@/shared/widgets/service/kinds';

type Row = StatusStatistics;

const keyOf = ({ type, status }: Row) => `${type} ${status}`;

/** The container's services by type and state. */
export function ServiceCounts({ counts }: { counts: readonly Row[] }) {
  const { t } = useTranslation('container');
  const columns = [
    { key: 'type', title: t('type'), render: ({ type }: Row) => serviceTitle(type) },
    { key: 'status', title: t('status'), render: ({ status }: Row) => <StateTag state={status} /> },
    {
      key: 'count',
      title: t('count'),
      align: 'right' as const,
      render: ({ count }: Row) => <Count value={count} />,
    },
  ];
  return (
    <Card title={t('services')}>
      {counts.length > 0 ? (
        <PlainTable label={t('services')} columns={columns} rows={counts} rowKey={keyOf} />
      ) : (
        <EmptyState title={t('noServices')} hint={t('noServicesHint')} />
      )}
    </Card>
  );
}

import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { ServiceRecord } from '@/shared/api';
import { bytes, duration } from '@/shared/lib/figures';
import { Card } from '@/shared/ui/card';
import { EmptyState } from '@/shared/ui/empty-state';
import { Moment } from '@/shared/ui/figures';
import { PlainTable } from '@/shared/ui/plain-table';
import { StateTag, stateLabel } from '@/shared/ui/state-tag';

function useColumns() {
  const { t } = useTranslation('home');
  return useMemo(
    () => [
      { key: 'name', title: t('services.name'), render: (service: ServiceRecord) => service.serviceName },
      {
        key: 'type',
        title: t('services.type'),
        render: (service: ServiceRecord) => t(`services.types.${service.type}`),
      },
      {
        key: 'desired',
        title: t('services.desired'),
        render: (service: ServiceRecord) => stateLabel(service.desired),
      },
      {
        key: 'observed',
        title: t('services.observed'),
        render: (service: ServiceRecord) => (
          <StateTag state={service.observed} since={service.observedSince} reason={service.reason?.text} />
        ),
      },
      {
        key: 'restarts',
        title: t('services.restarts'),
        align: 'right' as const,
        render: (service: ServiceRecord) => service.restarts,
      },
      {
        key: 'memory',
        title: t('services.memory'),
        align: 'right' as const,
        render: (service: ServiceRecord) => bytes(service.memoryBytes),
      },
      {
        key: 'lag',
        title: t('services.lag'),
        align: 'right' as const,
        render: (service: ServiceRecord) => duration(service.lagMs),
      },
      {
        key: 'heard',
        title: t('services.heard'),
        render: (service: ServiceRecord) => (
          <span className={service.stale ? 'home-stale' : undefined}>
            <Moment at={service.agentSeenAt} />
            {service.stale && ` ${t('services.stale')}`}
          </span>
        ),
      },
    ],
    [t],
  );
}

const keyOf = (service: ServiceRecord) => service.id;

/** The processes that move data: what each should be, and what was seen of it. */
export function ServicesCard({ services }: { services: readonly ServiceRecord[] }) {
  const { t } = useTranslation('home');
  const columns = useColumns();
  return (
    <Card title={t('services.title')}>
      {services.length > 0 ? (
        <PlainTable label={t('services.title')} columns={columns} rows={services} rowKey={keyOf} />
      ) : (
        <EmptyState title={t('services.empty')} hint={t('services.emptyHint')} />
      )}
    </Card>
  );
}

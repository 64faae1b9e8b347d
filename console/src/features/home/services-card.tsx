import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { ServiceRecord } from '@/shared/api';
import { bytes, duration } from '@/shared/lib/figures';
import { Card } from '@/shared/ui/card';
import { ErrorState } from '@/shared/ui/error-state';
import { Moment } from '@/shared/ui/figures';
import { LoadingState } from '@/shared/ui/loading-state';
import { PlainTable } from '@/shared/ui/plain-table';
import { StateTag, stateLabel } from '@/shared/ui/state-tag';
import { serviceTitle } from '@/shared/widgets/service/kinds';
import { useServices } from './queries';

function useColumns() {
  const { t } = useTranslation('home');
  return useMemo(
    () => [
      { key: 'name', title: t('services.name'), render: (service: ServiceRecord) => service.serviceName },
      {
        key: 'type',
        title: t('services.type'),
        render: (service: ServiceRecord) => serviceTitle(service.type),
      },
      {
        key: 'desired',
        title: t('services.desired'),
        render: (service: ServiceRecord) => stateLabel(service.desired),
      },
      {
        key: 'state',
        title: t('services.state'),
        width: 150,
        render: (service: ServiceRecord) => (
          <StateTag
            state={service.state}
            since={service.stateSince}
            reason={service.reason}
            heldUp={service.heldUp}
          />
        ),
      },
      {
        key: 'restarts',
        title: t('services.restarts'),
        align: 'right' as const,
        width: 110,
        render: (service: ServiceRecord) => service.restarts,
      },
      {
        key: 'memory',
        title: t('services.memory'),
        align: 'right' as const,
        width: 110,
        render: (service: ServiceRecord) => bytes(service.memoryBytes),
      },
      {
        key: 'lag',
        title: t('services.lag'),
        align: 'right' as const,
        width: 110,
        // Of what is held up only the last figure is known, and that was a good one.
        render: ({ lagMs, reason }: ServiceRecord) => duration(reason ? null : lagMs),
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

/** The processes that move data: what each should be, and its state. */
export function ServicesCard() {
  const { t } = useTranslation('home');
  const columns = useColumns();
  const { data, error, refetch } = useServices();
  return (
    <Card title={t('services.title')}>
      {!data && !error && <LoadingState rows={2} />}
      {!data && error && <ErrorState error={error} onRetry={refetch} />}
      {data && <PlainTable label={t('services.title')} columns={columns} rows={data} rowKey={keyOf} />}
    </Card>
  );
}

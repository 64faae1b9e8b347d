import { Alert, Descriptions } from 'antd';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { JsonExportRecord, ServiceRecord } from '@/shared/api';
import { bytes, count, duration, time } from '@/shared/lib/figures';
import { localTimes } from '@/shared/lib/local-times';
import { Moment } from '@/shared/ui/figures';
import { StateTag } from '@/shared/ui/state-tag';
import { LogButton } from '@/shared/widgets/machine/log-button';
import { MetricsButton } from '@/shared/widgets/metrics/metrics-button';
import { AttemptList } from '@/shared/widgets/service/attempt-list';
import { serviceTitle } from '@/shared/widgets/service/kinds';

/** The link's processes: their order and their state, and how each earlier run ended. */
export function ServicesTab({ services, heldLogGb }: TabProps) {
  const limit = heldLogGb == null ? null : heldLogGb * GIB;
  return (
    <div className="sync-services">
      {services.map((service) => (
        <ServiceCard
          key={service.id}
          service={service}
          heldLogLimit={service.type === 'publish' ? limit : null}
        />
      ))}
    </div>
  );
}

const GIB = 2 ** 30;

interface TabProps {
  services: readonly ServiceRecord[];
  /** How much log the source may keep for the link, in GiB; none: no limit. */
  heldLogGb?: number | null | undefined;
}

interface CardProps {
  service: ServiceRecord;
  /** In bytes; null: there is none. */
  heldLogLimit: number | null;
}

function ServiceCard({ service, heldLogLimit }: CardProps) {
  const { t } = useTranslation('sync-link');
  const title = `${serviceTitle(service.type)} · ${service.serviceName}`;
  return (
    <section className="card" aria-label={title}>
      <Descriptions
        size="small"
        column={3}
        title={title}
        extra={
          <>
            <MetricsButton kind="service" id={service.id} name={service.serviceName} />
            <LogButton source={{ kind: 'service', id: service.id, name: service.serviceName }} />
          </>
        }
        items={[
          {
            key: 'desired',
            label: t('services.desired'),
            children: <StateTag state={service.desired} />,
          },
          {
            key: 'state',
            label: t('services.state'),
            children: (
              <StateTag
                state={service.state}
                reason={service.reason}
                heldUp={service.heldUp}
                since={service.stateSince}
              />
            ),
          },
          { key: 'host', label: t('services.host'), children: service.agentHost ?? '–' },
          { key: 'pid', label: t('services.pid'), children: service.pid ?? '–' },
          { key: 'started', label: t('services.started'), children: <Moment at={service.startedAt} /> },
          { key: 'restarts', label: t('services.restarts'), children: count(service.restarts) },
          { key: 'next', label: t('services.nextAttempt'), children: <Moment at={service.nextAttemptAt} /> },
          { key: 'position', label: t('services.position'), children: service.position || '–' },
          { key: 'lag', label: t('services.lag'), children: duration(service.lagMs) },
          { key: 'backlog', label: t('services.backlog'), children: heldLog(service, heldLogLimit) },
          { key: 'memory', label: t('services.memory'), children: bytes(service.memoryBytes) },
          ...(service.feed ? feedItems(service.feed, t) : []),
        ]}
      />
      {service.stale && (
        <Alert type="warning" showIcon title={t('services.stale', { time: time(service.agentSeenAt) })} />
      )}
      {service.reason && (
        <Alert
          type={service.state === 'abnormal' ? 'error' : 'info'}
          showIcon
          title={localTimes(service.reason.text)}
          description={service.reason.remedy || undefined}
        />
      )}
      {service.feed?.reason && (
        <Alert
          type="warning"
          showIcon
          title={service.feed.reason.text}
          description={service.feed.reason.remedy || undefined}
        />
      )}
      {service.feed?.gapAt && (
        <Alert
          type="warning"
          showIcon
          title={t('services.feedGap', { time: time(service.feed.gapAt) })}
          description={t('services.feedGapRemedy')}
        />
      )}
      <Attempts service={service} />
    </section>
  );
}

/** The source's retained log for the link, with its limit. */
function heldLog(service: ServiceRecord, limit: number | null) {
  const held = bytes(service.backlogBytes);
  return limit === null ? held : `${held} / ${bytes(limit)}`;
}

/** The JSON topic for other programs. */
function feedItems(feed: JsonExportRecord, t: TFunction<'sync-link'>) {
  return [
    { key: 'feed', label: t('services.feed'), children: feed.name },
    { key: 'feedMessages', label: t('services.feedMessages'), children: count(feed.messages) },
    { key: 'feedNewest', label: t('services.feedNewest'), children: <Moment at={feed.newestChangeAt} /> },
  ];
}

function Attempts({ service }: { service: ServiceRecord }) {
  const { t } = useTranslation('sync-link');
  if (service.attempts.length === 0) return <p className="sync-quiet">{t('services.noAttempts')}</p>;
  return (
    <>
      <h2 className="sync-subtitle">{t('services.attempts')}</h2>
      <AttemptList service={service.id} attempts={service.attempts} />
    </>
  );
}

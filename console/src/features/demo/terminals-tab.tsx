import { useTranslation } from 'react-i18next';
import type { AgentRecord, ServiceRecord } from '@/shared/api';
import { Card } from '@/shared/ui/card';
import { EmptyState } from '@/shared/ui/empty-state';
import { PlainTable } from '@/shared/ui/plain-table';
import { StateTag } from '@/shared/ui/state-tag';
import { HostActions } from '@/shared/widgets/machine/host-actions';
import { LogButton } from '@/shared/widgets/machine/log-button';
import { useHosts, useServices } from './queries';

function HostsCard() {
  const { t } = useTranslation('demo');
  const hosts = useHosts().data ?? [];
  return (
    <Card title={t('terminal.hosts')}>
      <PlainTable<AgentRecord>
        label={t('terminal.hosts')}
        rows={hosts}
        rowKey={({ id }) => id}
        columns={[
          { key: 'container', title: t('terminal.container'), render: ({ containerName }) => containerName },
          { key: 'host', title: t('terminal.host'), render: ({ host }) => host },
          {
            key: 'state',
            title: t('terminal.state'),
            width: 140,
            render: ({ alive }) => <StateTag state={alive ? 'connected' : 'disconnected'} />,
          },
          {
            key: 'actions',
            title: t('terminal.actions'),
            width: 240,
            render: (agent) => <HostActions agent={agent} />,
          },
        ]}
      />
    </Card>
  );
}

function ServicesCard() {
  const { t } = useTranslation('demo');
  const services = useServices().data ?? [];
  if (services.length === 0) return <EmptyState title={t('noLinks')} />;
  return (
    <Card title={t('terminal.services')}>
      <PlainTable<ServiceRecord>
        label={t('terminal.services')}
        rows={services}
        rowKey={({ id }) => id}
        columns={[
          { key: 'name', title: t('terminal.service'), render: ({ serviceName }) => serviceName },
          { key: 'host', title: t('terminal.host'), render: ({ agentHost }) => agentHost ?? '–' },
          {
            key: 'state',
            title: t('terminal.state'),
            width: 140,
            render: ({ state, reason, heldUp }) => <StateTag state={state} reason={reason} heldUp={heldUp} />,
          },
          {
            key: 'actions',
            title: t('terminal.actions'),
            width: 240,
            render: (service) => (
              <LogButton source={{ kind: 'service', id: service.id, name: service.serviceName }} />
            ),
          },
        ]}
      />
    </Card>
  );
}

/** Shells on the hosts of this installation, and the logs of what runs there. */
export function TerminalsTab() {
  return (
    <div className="demo-cards">
      <HostsCard />
      <ServicesCard />
    </div>
  );
}

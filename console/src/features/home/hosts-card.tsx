import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { AgentRecord } from '@/shared/api';
import { duration } from '@/shared/lib/figures';
import { Card } from '@/shared/ui/card';
import { EmptyState } from '@/shared/ui/empty-state';
import { Moment } from '@/shared/ui/figures';
import { PlainTable } from '@/shared/ui/plain-table';
import { StateTag } from '@/shared/ui/state-tag';
import { HostActions } from '@/shared/widgets/machine/host-actions';

function useColumns() {
  const { t } = useTranslation('home');
  return useMemo(
    () => [
      { key: 'container', title: t('hosts.container'), render: (agent: AgentRecord) => agent.containerName },
      { key: 'host', title: t('hosts.host'), render: (agent: AgentRecord) => agent.host },
      {
        key: 'state',
        title: t('hosts.state'),
        render: (agent: AgentRecord) => <StateTag state={agent.alive ? 'connected' : 'disconnected'} />,
      },
      {
        key: 'heartbeat',
        title: t('hosts.heartbeat'),
        render: (agent: AgentRecord) => (
          <>
            <Moment at={agent.heartbeatAt} />{' '}
            <span className="home-quiet">{t('hosts.ago', { age: duration(agent.heartbeatAgeMs) })}</span>
          </>
        ),
      },
      { key: 'version', title: t('hosts.version'), render: (agent: AgentRecord) => agent.version },
      {
        key: 'actions',
        title: t('hosts.actions'),
        render: (agent: AgentRecord) => <HostActions agent={agent} />,
      },
    ],
    [t],
  );
}

const keyOf = (agent: AgentRecord) => agent.id;

/** The hosts that run services, with each one's last contact. */
export function HostsCard({ agents }: { agents: readonly AgentRecord[] }) {
  const { t } = useTranslation('home');
  const columns = useColumns();
  return (
    <Card title={t('hosts.title')}>
      {agents.length > 0 ? (
        <PlainTable label={t('hosts.title')} columns={columns} rows={agents} rowKey={keyOf} />
      ) : (
        <EmptyState title={t('hosts.empty')} hint={t('hosts.emptyHint')} />
      )}
    </Card>
  );
}

import { Space } from 'antd';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { HostRecord } from '@/shared/api';
import { bytes, duration } from '@/shared/lib/figures';
import { Card } from '@/shared/ui/card';
import { EmptyState } from '@/shared/ui/empty-state';
import { Count, Moment } from '@/shared/ui/figures';
import { PlainTable } from '@/shared/ui/plain-table';
import { StateTag } from '@/shared/ui/state-tag';
import { HostActions } from '@/shared/widgets/machine/host-actions';
import { MetricsButton } from '@/shared/widgets/metrics/metrics-button';
import { RemoveHost } from './remove-host';

const keyOf = (host: HostRecord) => host.id;

/** Amount and share of something a host has. */
function Used({ used, total }: { used: number | null; total: number | null }) {
  if (used === null || total === null || total === 0) return <span>–</span>;
  return <span title={`${bytes(used)} / ${bytes(total)}`}>{`${((used / total) * 100).toFixed(0)}%`}</span>;
}

function useColumns() {
  const { t } = useTranslation('container');
  return useMemo(
    () => [
      { key: 'host', title: t('host'), render: (host: HostRecord) => host.host },
      {
        key: 'state',
        title: t('status'),
        render: (host: HostRecord) => <StateTag state={host.alive ? 'connected' : 'disconnected'} />,
      },
      {
        key: 'heartbeat',
        title: t('heartbeat'),
        render: (host: HostRecord) => (
          <span className="container-heard">
            <Moment at={host.heartbeatAt} />
            <span className="container-quiet">{t('ago', { age: duration(host.heartbeatAgeMs) })}</span>
          </span>
        ),
      },
      {
        key: 'cpu',
        title: t('cpu'),
        align: 'right' as const,
        render: ({ alive, cpuPercent }: HostRecord) =>
          alive && cpuPercent !== null ? `${cpuPercent.toFixed(1)}%` : '–',
      },
      {
        key: 'memory',
        title: t('memory'),
        align: 'right' as const,
        render: (host: HostRecord) => (
          <Used used={host.alive ? host.memoryUsed : null} total={host.memoryTotal} />
        ),
      },
      {
        key: 'disk',
        title: t('disk'),
        align: 'right' as const,
        render: (host: HostRecord) => (
          <Used used={host.alive ? host.diskUsed : null} total={host.diskTotal} />
        ),
      },
      {
        key: 'services',
        title: t('services'),
        align: 'right' as const,
        render: ({ services, pinned }: HostRecord) => (
          <>
            <Count value={services} />
            {pinned > 0 && <span className="container-quiet"> {t('pinnedCount', { count: pinned })}</span>}
          </>
        ),
      },
      {
        key: 'bus',
        title: t('bus'),
        render: (host: HostRecord) => host.bus || <span className="container-word">{t('ownBus')}</span>,
      },
      { key: 'version', title: t('version'), render: (host: HostRecord) => host.version },
      {
        key: 'actions',
        title: t('actions'),
        render: (host: HostRecord) => (
          <Space size={0}>
            <MetricsButton kind="host" id={host.id} name={host.host} />
            <HostActions agent={host} />
            <RemoveHost host={host} />
          </Space>
        ),
      },
    ],
    [t],
  );
}

/** The container's hosts, how they are, and how many services each has. */
export function HostsCard({ hosts }: { hosts: readonly HostRecord[] }) {
  const { t } = useTranslation('container');
  const columns = useColumns();
  return (
    <Card title={t('hostList')}>
      {hosts.length > 0 ? (
        <PlainTable label={t('hostList')} columns={columns} rows={hosts} rowKey={keyOf} />
      ) : (
        <EmptyState title={t('noHosts')} hint={t('noHostsHint')} />
      )}
    </Card>
  );
}

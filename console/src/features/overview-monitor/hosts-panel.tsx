import { useTranslation } from 'react-i18next';
import type { AgentRecord } from '@/shared/api';
import { bytes, count, percent } from '@/shared/lib/figures';
import { stateLabel } from '@/shared/ui/state-tag';
import { Panel } from './panel';

/** A part of what there is, from which on it is marked. */
const TIGHT = 90;

/** How full the hosts are. */
export function HostsPanel({ hosts, total }: { hosts: readonly AgentRecord[]; total: number }) {
  const { t } = useTranslation('overview-monitor');
  const isCut = total > hosts.length;
  return (
    <Panel
      area="hosts"
      title={t('hosts.title')}
      extra={isCut ? t('firstOf', { shown: hosts.length, total: count(total) }) : undefined}
    >
      {hosts.length === 0 ? (
        <p className="wall-quiet">{t('hosts.empty')}</p>
      ) : (
        <ul className="wall-hosts">
          {hosts.map((host) => (
            <Host key={host.id} host={host} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function Host({ host }: { host: AgentRecord }) {
  const { t } = useTranslation('overview-monitor');
  const { containerName, alive, cpuPercent, memoryUsed, memoryTotal, diskUsed, diskTotal } = host;
  return (
    <li data-look={alive ? 'good' : 'bad'}>
      <span className="wall-name">
        {host.host} <span className="wall-quiet">{containerName}</span>
      </span>
      {alive ? (
        <>
          <Gauge name={t('hosts.cpu')} share={cpuPercent} />
          <Gauge name={t('hosts.memory')} share={shareOf(memoryUsed, memoryTotal)} of={memoryTotal} />
          <Gauge name={t('hosts.disk')} share={shareOf(diskUsed, diskTotal)} of={diskTotal} />
        </>
      ) : (
        <span className="wall-state">{stateLabel('disconnected')}</span>
      )}
    </li>
  );
}

function shareOf(used: number | null, total: number | null): number | null {
  return used === null || !total ? null : (100 * used) / total;
}

function Gauge({ name, share, of }: { name: string; share: number | null; of?: number | null }) {
  return (
    <span className="wall-gauge" data-tight={share !== null && share >= TIGHT}>
      <span>
        {name} <span className="tabular">{share === null ? '–' : percent(share, 100)}</span>{' '}
        {of ? <span className="wall-quiet">{bytes(of)}</span> : null}
      </span>
      <span className="wall-bar">
        <span style={{ width: `${Math.min(100, share ?? 0)}%` }} />
      </span>
    </span>
  );
}

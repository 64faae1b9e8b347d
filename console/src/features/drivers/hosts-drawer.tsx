import { Drawer } from 'antd';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DriverHost, DriverRecord } from '@/shared/api';
import { driverPageHostsList } from '@/shared/api/lists';
import { type Column, DataTable, MOMENT_WIDTH, useTableState } from '@/shared/ui/data-table';
import { Moment } from '@/shared/ui/figures';
import { ListChoice } from '@/shared/ui/list-choice';
import { ListSearch } from '@/shared/ui/list-search';
import { LiveMark } from '@/shared/ui/live-mark';
import { LookMark } from '@/shared/ui/state-tag';
import type { Look } from '@/shared/ui/states';
import { allHosts, useHosts } from './queries';

interface Props {
  driver: DriverRecord;
  onClose: () => void;
}

type State = DriverHost['state'];

const STATES: readonly State[] = ['waiting', 'present', 'failed'];
const LOOKS: Record<State, Look> = { waiting: 'busy', present: 'good', failed: 'bad' };
const keyOf = ({ agentId }: DriverHost) => agentId;

/** How far each host is with a driver. */
export default function HostsDrawer({ driver, onClose }: Props) {
  const { t } = useTranslation('drivers');
  const state = useTableState('hosts');
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<State | ''>('');
  const asked = { ...state.request, id: driver.id, search, ...(chosen && { state: chosen }) };
  const query = useHosts(asked);
  const isFiltered = Boolean(search || chosen);
  return (
    <Drawer open size="60%" title={t('hostsTitle', { name: driver.name })} onClose={onClose}>
      <DataTable
        label={t('hostsTitle', { name: driver.name })}
        name="driver-hosts"
        columns={useColumns()}
        list={driverPageHostsList}
        query={query}
        state={state}
        rowKey={keyOf}
        loadAll={() => allHosts(asked)}
        empty={isFiltered ? { title: t('emptyFiltered') } : { title: t('noHosts'), hint: t('noHostsHint') }}
        toolbar={
          <>
            <ListSearch label={t('searchHost')} value={search} onSearch={setSearch} />
            <ListChoice
              label={t('state')}
              value={chosen}
              onChange={setChosen}
              options={[
                { value: '' as const, label: t('anyState') },
                ...STATES.map((value) => ({ value, label: t(`states.${value}`) })),
              ]}
            />
          </>
        }
        extra={<LiveMark query={query} />}
      />
    </Drawer>
  );
}

function useColumns(): Column<DriverHost>[] {
  const { t } = useTranslation('drivers');
  return useMemo(() => {
    const labelOf = ({ state, alive }: DriverHost) =>
      alive ? t(`states.${state}`) : `${t(`states.${state}`)} · ${t('silent')}`;
    return [
      {
        key: 'host',
        type: 'text',
        title: t('host'),
        minWidth: 120,
        essential: true,
        text: ({ host }) => host,
      },
      {
        key: 'containerName',
        type: 'text',
        title: t('container'),
        width: 140,
        text: ({ containerName }) => containerName,
      },
      {
        key: 'state',
        of: ['state', 'alive'],
        title: t('state'),
        width: 170,
        essential: true,
        text: labelOf,
        render: (host) => <LookMark look={host.alive ? LOOKS[host.state] : 'quiet'} label={labelOf(host)} />,
      },
      {
        key: 'reason',
        type: 'text',
        title: t('reason'),
        minWidth: 220,
        length: 300,
        text: ({ reason }) => [reason?.text, reason?.remedy].filter(Boolean).join(' · '),
      },
      {
        key: 'reportedAt',
        title: t('reportedAt'),
        width: MOMENT_WIDTH,
        text: ({ reportedAt }) => reportedAt ?? '',
        render: ({ reportedAt }) => (reportedAt ? <Moment at={reportedAt} /> : null),
      },
    ];
  }, [t]);
}

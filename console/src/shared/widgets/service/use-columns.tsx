import { PushpinFilled } from '@ant-design/icons';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { ManagedService } from '@/shared/api';
import { time } from '@/shared/lib/figures';
import type { Column, RowAction } from '@/shared/ui/data-table';
import { Count, Moment } from '@/shared/ui/figures';
import { StateTag, stateLabel } from '@/shared/ui/state-tag';
import { serviceTitle } from './kinds';

/** The host that has a service, and where it is on its way to. */
function Place({ service }: { service: ManagedService }) {
  const { t } = useTranslation('service');
  const { agentHost, nextHost, pinned } = service;
  return (
    <span className="service-place">
      {pinned && <PushpinFilled role="img" aria-label={t('pinned')} title={t('pinnedHint')} />}{' '}
      {agentHost ?? '–'}
      {nextHost && <span title={t('movingHint')}> → {nextHost}</span>}
    </span>
  );
}

/** The columns of a list of services. */
export function useColumns(actions: (row: ManagedService) => RowAction[]): Column<ManagedService>[] {
  const { t } = useTranslation('service');
  return useMemo(
    () => [
      {
        key: 'serviceName',
        type: 'text',
        title: t('name'),
        minWidth: 120,
        essential: true,
        text: ({ serviceName }) => serviceName,
      },
      {
        key: 'type',
        type: 'text',
        title: t('type'),
        width: 150,
        text: ({ type }) => serviceTitle(type),
      },
      {
        key: 'state',
        title: t('state'),
        width: 150,
        essential: true,
        text: ({ state }) => stateLabel(state),
        render: ({ state, stateSince, reason, heldUp }) => (
          <StateTag state={state} since={stateSince} reason={reason} heldUp={heldUp} />
        ),
      },
      {
        key: 'reportedAt',
        title: t('reported'),
        width: 246,
        text: ({ reportedAt, stale }) =>
          reportedAt ? `${time(reportedAt)} ${t(stale ? 'silent' : 'heard')}` : '–',
        render: ({ reportedAt, stale }) => (
          <span className={stale ? 'service-silent' : undefined}>
            <Moment at={reportedAt} /> {reportedAt && `· ${t(stale ? 'silent' : 'heard')}`}
          </span>
        ),
      },
      {
        key: 'agentHost',
        title: t('place'),
        width: 120,
        leaveOut: true,
        text: ({ agentHost, nextHost }) => [agentHost ?? '–', nextHost].filter(Boolean).join(' → '),
        render: (row) => <Place service={row} />,
      },
      {
        key: 'containerName',
        type: 'text',
        title: t('container'),
        width: 110,
        leaveOut: true,
        text: ({ containerName }) => containerName,
      },
      {
        key: 'observed',
        title: t('observed'),
        width: 140,
        leaveOut: true,
        text: ({ observed }) => stateLabel(observed),
        render: ({ observed }) => <StateTag state={observed} />,
      },
      {
        key: 'heartbeats',
        title: t('heartbeats'),
        width: 110,
        align: 'right',
        leaveOut: true,
        text: ({ heartbeats }) => heartbeats,
        render: ({ heartbeats }) => <Count value={heartbeats} />,
      },
      {
        key: 'machineCode',
        type: 'text',
        title: t('machineCode'),
        width: 150,
        leaveOut: true,
        text: ({ machineCode }) => machineCode ?? '–',
      },
      {
        key: 'serialNumber',
        type: 'text',
        title: t('serialNumber'),
        width: 150,
        leaveOut: true,
        text: ({ serialNumber }) => serialNumber ?? '–',
      },
      {
        key: 'id',
        type: 'text',
        title: t('id'),
        width: 240,
        length: 40,
        leaveOut: true,
        text: ({ id }) => id,
      },
      {
        key: 'remark',
        type: 'text',
        title: t('remark'),
        width: 140,
        leaveOut: true,
        text: ({ remark }) => remark,
      },
      {
        key: 'logLevel',
        type: 'text',
        title: t('logLevel'),
        width: 100,
        hidden: true,
        text: ({ logLevel }) => logLevel,
      },
      {
        key: 'actions',
        type: 'options',
        title: t('actions'),
        width: 190,
        shown: 3,
        fixed: 'right',
        essential: true,
        actions,
      },
    ],
    [t, actions],
  );
}

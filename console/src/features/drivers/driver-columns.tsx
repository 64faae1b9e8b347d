import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { audited, call, type DriverRecord, driverDelete, driverPageUsers } from '@/shared/api';
import { useMay } from '@/shared/hooks/use-may';
import { bytes } from '@/shared/lib/figures';
import { notify } from '@/shared/lib/notices';
import { reportFailure } from '@/shared/lib/report-failure';
import { type Column, MOMENT_WIDTH } from '@/shared/ui/data-table';
import { Moment } from '@/shared/ui/figures';
import { confirmDelete } from '@/shared/widgets/delete-confirm';
import { DRIVERS, PACKAGE, useRefresh } from './queries';

const NAMED = 5;

export type Opened = 'hosts' | 'users' | 'distribute';

export function useDriverColumns(open: (at: Opened, driver: DriverRecord) => void): Column<DriverRecord>[] {
  const { t } = useTranslation('drivers');
  const may = useMay(DRIVERS);
  const [mayEdit, mayDelete] = [may('edit'), may('delete')];
  const remove = useRemoval();
  return useMemo(
    () => [
      {
        key: 'name',
        type: 'text',
        title: t('name'),
        minWidth: 170,
        essential: true,
        text: ({ name }) => name,
      },
      {
        key: 'kind',
        type: 'text',
        title: t('kind'),
        width: 130,
        text: ({ kind, kindLabel }) => (kind === PACKAGE ? t('agentPackage') : kindLabel),
      },
      {
        key: 'version',
        type: 'text',
        title: t('version'),
        width: 110,
        leaveOut: true,
        text: ({ version }) => version,
      },
      {
        key: 'hosts',
        of: ['hosts', 'present', 'failed'],
        type: 'text',
        title: t('onHosts'),
        width: 190,
        essential: true,
        text: ({ hosts, present, failed }) =>
          [t('presentOf', { present, hosts }), failed > 0 && t('failedOn', { failed })]
            .filter(Boolean)
            .join(' · '),
      },
      {
        key: 'containers',
        of: ['containers', 'everywhere'],
        type: 'text',
        title: t('containers'),
        minWidth: 130,
        leaveOut: true,
        text: ({ everywhere, containers }) =>
          everywhere ? t('everywhere') : containers.map(({ name }) => name).join(', '),
      },
      {
        key: 'signer',
        of: ['signer', 'userName'],
        type: 'text',
        title: t('trust'),
        minWidth: 150,
        text: ({ signer, userName }) =>
          signer ? t('signedBy', { signer }) : t('confirmedBy', { user: userName }),
      },
      {
        key: 'size',
        type: 'text',
        title: t('size'),
        width: 100,
        leaveOut: true,
        align: 'right',
        text: ({ size }) => bytes(size),
      },
      {
        key: 'sha256',
        type: 'text',
        title: 'SHA-256',
        width: 180,
        hidden: true,
        length: 64,
        text: (row) => row.sha256,
      },
      {
        key: 'createdAt',
        title: t('createdAt'),
        width: MOMENT_WIDTH,
        leaveOut: true,
        text: (row) => row.createdAt,
        render: (row) => <Moment at={row.createdAt} />,
      },
      {
        key: 'actions',
        type: 'options',
        title: t('actions'),
        width: 220,
        fixed: 'right',
        essential: true,
        shown: 2,
        actions: (row) => [
          { key: 'hosts', label: t('showHosts'), run: () => open('hosts', row) },
          { key: 'users', label: t('showUsers'), run: () => open('users', row) },
          ...(mayEdit
            ? [{ key: 'distribute', label: t('distribute'), run: () => open('distribute', row) }]
            : []),
          ...(mayDelete
            ? [{ key: 'delete', label: t('delete'), danger: true, run: () => void remove(row) }]
            : []),
        ],
      },
    ],
    [t, mayEdit, mayDelete, open, remove],
  );
}

/** Says beforehand which connections depend on the driver. */
function useRemoval(): (driver: DriverRecord) => Promise<void> {
  const { t } = useTranslation('drivers');
  const refresh = useRefresh();
  return async (driver) => {
    const asked = { id: driver.id, size: NAMED };
    const users = await call(driverPageUsers({ body: asked }))
      .catch(reportFailure('status'))
      .catch(() => undefined);
    if (!users) return;
    const names = users.records.map(({ name }) => name).join(', ') + (users.total > NAMED ? ' …' : '');
    confirmDelete({
      title: t('deleteTitle', { name: driver.name }),
      content: users.total > 0 ? t('deleteUsed', { count: users.total, names }) : t('deleteHint'),
      dependants: { deleting: 'deploy/driver/delete', id: driver.id },
      action: t('delete'),
      mode: 'post',
      run: async (proof) => {
        await call(driverDelete({ body: { id: driver.id, ...proof }, ...audited(driver) })).catch(
          reportFailure('delete'),
        );
        notify('success', t('deleted', { name: driver.name }));
        await refresh();
      },
    });
  };
}

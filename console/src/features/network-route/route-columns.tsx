import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { audited, call, networkRouteDelete, type RouteRecord } from '@/shared/api';
import { useMay } from '@/shared/hooks/use-may';
import { time } from '@/shared/lib/figures';
import { notify } from '@/shared/lib/notices';
import { reportFailure } from '@/shared/lib/report-failure';
import { type Column, MOMENT_WIDTH } from '@/shared/ui/data-table';
import { Moment } from '@/shared/ui/figures';
import { confirmDelete } from '@/shared/widgets/delete-confirm';
import { NETWORK, useRefresh } from './queries';

/** The way itself, in one text. */
function wayOf({ kind, host, port, user }: RouteRecord): string {
  if (kind === 'direct') return '';
  return `${user ? `${user}@` : ''}${host.includes(':') ? `[${host}]` : host}:${port}`;
}

export function useRouteColumns(
  open: (at: 'form' | 'users' | 'refused', route: RouteRecord) => void,
): Column<RouteRecord>[] {
  const { t } = useTranslation('network-route');
  const may = useMay(NETWORK);
  const [mayEdit, mayDelete] = [may('edit'), may('delete')];
  const refresh = useRefresh();
  return useMemo(() => {
    const remove = (route: RouteRecord) =>
      route.users > 0
        ? open('refused', route)
        : confirmDelete({
            title: t('deleteTitle', { name: route.name }),
            content: t('deleteHint'),
            dependants: { deleting: 'system/network-route/delete', id: route.id },
            action: t('delete'),
            mode: 'post',
            run: async (proof) => {
              await call(networkRouteDelete({ body: { id: route.id, ...proof }, ...audited(route) })).catch(
                reportFailure('delete'),
              );
              notify('success', t('deleted', { name: route.name }));
              await refresh();
            },
          });
    return [
      {
        key: 'name',
        type: 'text',
        title: t('name'),
        minWidth: 130,
        essential: true,
        text: ({ name }) => name,
      },
      { key: 'kind', type: 'text', title: t('kind'), width: 170, text: ({ kind }) => t(`kinds.${kind}`) },
      {
        key: 'host',
        of: ['host', 'port', 'user'],
        type: 'text',
        title: t('way'),
        minWidth: 180,
        text: wayOf,
      },
      {
        key: 'source',
        type: 'text',
        title: t('source'),
        width: 140,
        leaveOut: true,
        text: ({ source }) => source,
      },
      {
        key: 'targets',
        type: 'text',
        title: t('targets'),
        minWidth: 150,
        length: 40,
        leaveOut: true,
        text: ({ targets }) => targets.join(', '),
      },
      {
        key: 'users',
        title: t('users'),
        width: 110,
        align: 'right',
        text: ({ users }) => users,
        render: ({ users }) => users,
      },
      {
        key: 'description',
        type: 'text',
        title: t('description'),
        minWidth: 140,
        length: 40,
        leaveOut: true,
        text: ({ description }) => description,
      },
      {
        key: 'hostKey',
        type: 'text',
        title: t('hostKey'),
        minWidth: 200,
        leaveOut: true,
        text: ({ hostKey }) => hostKey,
      },
      {
        key: 'updatedBy',
        type: 'text',
        title: t('updatedBy'),
        width: 110,
        leaveOut: true,
        text: ({ updatedBy }) => updatedBy,
      },
      {
        key: 'updatedAt',
        title: t('updatedAt'),
        width: MOMENT_WIDTH,
        leaveOut: true,
        text: ({ updatedAt }) => time(updatedAt),
        render: ({ updatedAt }) => <Moment at={updatedAt} />,
      },
      {
        key: 'actions',
        type: 'options',
        title: t('actions'),
        width: 190,
        fixed: 'right',
        essential: true,
        shown: 3,
        actions: (row) => [
          { key: 'users', label: t('users'), run: () => open('users', row) },
          ...(mayEdit ? [{ key: 'edit', label: t('edit'), run: () => open('form', row) }] : []),
          ...(mayDelete ? [{ key: 'delete', label: t('delete'), danger: true, run: () => remove(row) }] : []),
        ],
      },
    ];
  }, [t, mayEdit, mayDelete, open, refresh]);
}

import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { audited, call, type ServiceAccountRecord, serviceAccountRevoke } from '@/shared/api';
import { useMay } from '@/shared/hooks/use-may';
import { notify } from '@/shared/lib/notices';
import { reportFailure } from '@/shared/lib/report-failure';
import { type Column, MOMENT_WIDTH, type RowAction } from '@/shared/ui/data-table';
import { Moment } from '@/shared/ui/figures';
import { LookMark } from '@/shared/ui/state-tag';
import { confirmDelete } from '@/shared/widgets/delete-confirm';
import { useRefresh } from './queries';
import { countOperations, scopeKind } from './scope-kinds';

export const ACCOUNTS = 'authority-management/service-accounts';

/** The drawer that is open: of a new account, an account's, or that of its rotation. */
export interface Opened {
  edit?: ServiceAccountRecord;
  rotate?: ServiceAccountRecord;
}

type Show = (opened: Opened) => void;

const looks = { valid: 'good', expiring: 'warning', expired: 'bad', revoked: 'quiet' } as const;

export function useAccountColumns(setOpen: Show): Column<ServiceAccountRecord>[] {
  const { t } = useTranslation('authority');
  const scope = useScopeText();
  const actions = useActions(setOpen);
  return useMemo(
    () => [
      {
        key: 'name',
        type: 'text',
        title: t('serviceAccount.name'),
        minWidth: 140,
        essential: true,
        text: ({ name }) => name,
      },
      {
        key: 'ownerName',
        type: 'text',
        title: t('serviceAccount.owner'),
        width: 110,
        text: ({ ownerName }) => ownerName,
      },
      {
        key: 'scope',
        of: ['permissions'],
        type: 'text',
        title: t('serviceAccount.scope'),
        minWidth: 140,
        text: scope,
      },
      {
        key: 'tenant',
        of: ['customerName', 'spansTenants'],
        type: 'text',
        title: t('serviceAccount.tenant'),
        width: 120,
        leaveOut: true,
        text: ({ spansTenants, customerName }) => (spansTenants ? t('role.scopes.all') : customerName),
      },
      {
        key: 'state',
        title: t('serviceAccount.state'),
        width: 110,
        text: ({ state }) => t(`serviceAccount.states.${state}`),
        render: ({ state }) => <LookMark look={looks[state]} label={t(`serviceAccount.states.${state}`)} />,
      },
      {
        key: 'expiresAt',
        title: t('serviceAccount.expiresAt'),
        width: MOMENT_WIDTH,
        text: ({ expiresAt }) => expiresAt,
        render: ({ state, expiresAt }) =>
          expiresAt || state === 'expired' ? (
            <Moment at={expiresAt} />
          ) : (
            <LookMark look="warning" label={t('serviceAccount.noEnd')} />
          ),
      },
      {
        key: 'previousUntil',
        title: t('serviceAccount.previousUntil'),
        width: MOMENT_WIDTH,
        leaveOut: true,
        text: ({ previousUntil }) => previousUntil,
        render: ({ previousUntil }) => <Moment at={previousUntil} />,
      },
      {
        key: 'usedAt',
        title: t('serviceAccount.usedAt'),
        width: MOMENT_WIDTH,
        text: ({ usedAt }) => usedAt,
        render: ({ usedAt }) => (usedAt ? <Moment at={usedAt} /> : t('serviceAccount.unused')),
      },
      {
        key: 'usedFrom',
        type: 'text',
        title: t('serviceAccount.usedFrom'),
        width: 130,
        leaveOut: true,
        text: ({ usedFrom }) => usedFrom,
      },
      {
        key: 'description',
        type: 'text',
        title: t('description'),
        minWidth: 140,
        leaveOut: true,
        text: ({ description }) => description,
      },
      {
        key: 'createdAt',
        title: t('createdAt'),
        width: MOMENT_WIDTH,
        hidden: true,
        text: ({ createdAt }) => createdAt,
        render: ({ createdAt }) => <Moment at={createdAt} />,
      },
      {
        key: 'actions',
        type: 'options',
        title: t('actions'),
        width: 160,
        fixed: 'right',
        essential: true,
        shown: 2,
        actions,
      },
    ],
    [t, scope, actions],
  );
}

function useScopeText(): (row: ServiceAccountRecord) => string {
  const { t } = useTranslation('authority');
  return ({ permissions }) => {
    const kind = scopeKind(permissions);
    return kind === 'chosen' && permissions
      ? t('serviceAccount.operations', { count: countOperations(permissions) })
      : t(`serviceAccount.scopes.${kind}`);
  };
}

function useActions(setOpen: Show): (row: ServiceAccountRecord) => RowAction[] {
  const { t } = useTranslation('authority');
  const may = useMay(ACCOUNTS);
  const revoke = useRevocation();
  return (row) => {
    const over = row.state === 'revoked' ? t('serviceAccount.isRevoked') : undefined;
    const foreign = row.isOwn ? over : (over ?? t('serviceAccount.foreign', { owner: row.ownerName }));
    const actions: (RowAction | false)[] = [
      may('edit') && {
        key: 'edit',
        label: t('action.edit'),
        refused: foreign,
        run: () => setOpen({ edit: row }),
      },
      may('edit') && {
        key: 'rotate',
        label: t('serviceAccount.rotate'),
        refused: foreign,
        run: () => setOpen({ rotate: row }),
      },
      may('delete') && {
        key: 'revoke',
        label: t('serviceAccount.revoke'),
        danger: true,
        refused: over,
        run: () => revoke(row),
      },
    ];
    return actions.filter((action) => action !== false);
  };
}

/** Ends an account, after saying what that stops. */
function useRevocation(): (row: ServiceAccountRecord) => void {
  const { t } = useTranslation('authority');
  const refresh = useRefresh();
  return (row) =>
    confirmDelete({
      title: t('serviceAccount.revokeTitle', { name: row.name }),
      content: t('serviceAccount.revokeHint', { owner: row.ownerName }),
      dependants: null,
      mode: 'post',
      run: async (proof) => {
        await call(serviceAccountRevoke({ body: { id: row.id, ...proof }, ...audited(row) })).catch(
          reportFailure('delete'),
        );
        notify('success', t('serviceAccount.revoked', { name: row.name }));
        await refresh();
      },
    });
}

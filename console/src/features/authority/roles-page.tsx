import { lazy, Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { audited, call, type RoleRecord, roleDelete } from '@/shared/api';
import { rolePageList } from '@/shared/api/lists';
import { useUrlState } from '@/shared/hooks/use-url-state';
import { type Column, MOMENT_WIDTH, useTableState } from '@/shared/ui/data-table';
import { Moment } from '@/shared/ui/figures';
import { allRoles, useRoles } from './queries';
import { type Kind, RecordList, useRecordActions } from './record-list';

const RoleDrawer = lazy(() => import('./role-drawer'));

const ROLES: Kind = { noun: 'role', menu: 'authority-management/role-management' };

const filterDefaults = { search: '', current: 1 };

const keyOf = (role: RoleRecord) => role.id;

export default function RolesPage() {
  const state = useTableState();
  const [{ search }, setFilter] = useUrlState(filterDefaults);
  const [open, setOpen] = useState<{ id?: string }>();
  const query = useRoles(state.request, search);
  const columns = useColumns(setOpen);
  return (
    <>
      <RecordList
        kind={ROLES}
        columns={columns}
        list={rolePageList}
        query={query}
        state={state}
        rowKey={keyOf}
        loadAll={() => allRoles(state.request, search)}
        search={search}
        onSearch={(wanted) => setFilter({ search: wanted, current: 1 })}
        onAdd={() => setOpen({})}
      />
      <Suspense>{open && <RoleDrawer id={open.id} onClose={() => setOpen(undefined)} />}</Suspense>
    </>
  );
}

function useColumns(setOpen: (open: { id: string }) => void): Column<RoleRecord>[] {
  const { t } = useTranslation('authority');
  const actions = useRecordActions<RoleRecord>(ROLES, (role) => {
    const locked = role.changeable ? undefined : t('role.locked');
    return {
      edit: () => setOpen({ id: role.id }),
      cannotEdit: locked,
      remove: (proof) => call(roleDelete({ body: { id: role.id, ...proof }, ...audited(role) })),
      dependants: { deleting: 'account/role/delete', id: role.id },
      cannotRemove: role.named ? t('role.named') : locked,
    };
  });
  return useMemo(
    () => [
      {
        key: 'code',
        type: 'text',
        title: t('role.code'),
        minWidth: 130,
        essential: true,
        text: ({ code }) => code,
      },
      { key: 'name', type: 'text', title: t('role.name'), minWidth: 130, text: ({ name }) => name },
      {
        key: 'kind',
        of: ['named'],
        type: 'text',
        title: t('role.kind'),
        width: 120,
        text: ({ named }) => t(named ? 'role.kinds.named' : 'role.kinds.own'),
      },
      {
        key: 'scope',
        of: ['spansTenants', 'customerName'],
        type: 'text',
        title: t('role.scope'),
        minWidth: 160,
        text: ({ spansTenants, customerName }) =>
          spansTenants ? t('role.scopes.all') : (customerName ?? t('role.scopes.any')),
      },
      {
        key: 'users',
        type: 'text',
        title: t('role.users'),
        width: 90,
        align: 'right',
        text: ({ users }) => users,
      },
      {
        key: 'description',
        type: 'text',
        title: t('description'),
        minWidth: 160,
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
        width: 130,
        fixed: 'right',
        essential: true,
        actions,
      },
    ],
    [t, actions],
  );
}

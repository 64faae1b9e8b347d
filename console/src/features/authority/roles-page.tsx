import { PlusOutlined } from '@ant-design/icons';
import { Button, Input } from 'antd';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { audited, call, type RoleRecord, roleDelete } from '@/shared/api';
import { useMay } from '@/shared/hooks/use-may';
import { useUrlState } from '@/shared/hooks/use-url-state';
import { notify } from '@/shared/lib/notices';
import { tell } from '@/shared/lib/tell';
import { type Column, DataTable, type RowAction, useTableState } from '@/shared/ui/data-table';
import { Moment } from '@/shared/ui/figures';
import { confirmDelete } from '@/shared/widgets/delete-confirm';
import { allRoles, useRefresh, useRoles } from './queries';
import { RoleDrawer } from './role-drawer';
import './authority.css';

const ROLES = 'authority-management/role-management';

const filterDefaults = { search: '', current: 1 };

const keyOf = (role: RoleRecord) => role.id;

export default function RolesPage() {
  const { t } = useTranslation('authority');
  const may = useMay(ROLES);
  const state = useTableState();
  const [filter, setFilter] = useUrlState(filterDefaults);
  const [open, setOpen] = useState<{ id?: string }>();
  const query = useRoles(state.request, filter.search);
  const columns = useColumns(setOpen);
  const add = may('create') && (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => setOpen({})}>
      {t('role.add')}
    </Button>
  );
  return (
    <>
      <h1 className="visually-hidden">{t('role.title')}</h1>
      <DataTable
        label={t('role.title')}
        name="roles"
        columns={columns}
        query={query}
        state={state}
        rowKey={keyOf}
        loadAll={() => allRoles(state.request, filter.search)}
        empty={{ title: t('role.emptyFiltered') }}
        toolbar={
          <>
            {add}
            <Input.Search
              key={filter.search}
              className="list-search"
              placeholder={t('role.search')}
              aria-label={t('role.search')}
              defaultValue={filter.search}
              allowClear
              onSearch={(search) => setFilter({ search: search.trim(), current: 1 })}
            />
          </>
        }
      />
      {open && <RoleDrawer id={open.id} onClose={() => setOpen(undefined)} />}
    </>
  );
}

function useActions(setOpen: (open: { id: string }) => void): (role: RoleRecord) => RowAction[] {
  const { t } = useTranslation('authority');
  const may = useMay(ROLES);
  const refresh = useRefresh();
  const remove = (role: RoleRecord) =>
    confirmDelete({
      title: t('role.deleteTitle', { name: role.name }),
      content: t('role.deleteHint'),
      mode: 'post',
      run: async (proof) => {
        await call(roleDelete({ body: { id: role.id, ...proof }, ...audited(role) })).catch(tell);
        notify('success', t('role.deleted', { name: role.name }));
        await refresh();
      },
    });
  return (role) => {
    const locked = role.changeable ? undefined : t('role.locked');
    const actions: (RowAction | false)[] = [
      may('edit') && {
        key: 'edit',
        label: t('action.edit'),
        refused: locked,
        run: () => setOpen({ id: role.id }),
      },
      may('delete') && {
        key: 'delete',
        label: t('action.delete'),
        danger: true,
        refused: role.named ? t('role.named') : locked,
        run: () => remove(role),
      },
    ];
    return actions.filter((action) => action !== false);
  };
}

function useColumns(setOpen: (open: { id: string }) => void): Column<RoleRecord>[] {
  const { t } = useTranslation('authority');
  const actions = useActions(setOpen);
  return useMemo(
    () => [
      {
        key: 'code',
        type: 'text',
        title: t('role.code'),
        minWidth: 130,
        sortable: true,
        essential: true,
        text: ({ code }) => code,
      },
      { key: 'name', type: 'text', title: t('role.name'), minWidth: 130, text: ({ name }) => name },
      {
        key: 'kind',
        type: 'text',
        title: t('role.kind'),
        width: 120,
        text: ({ named }) => t(named ? 'role.kinds.named' : 'role.kinds.own'),
      },
      {
        key: 'scope',
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
        sortable: true,
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
        width: 160,
        sortable: true,
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

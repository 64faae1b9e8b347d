import { PlusOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { lazy, Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { audited, call, type UserListRecord, userDelete, userRemoveSecondFactor } from '@/shared/api';
import { userPageList } from '@/shared/api/lists';
import { useMay } from '@/shared/hooks/use-may';
import { useUrlState } from '@/shared/hooks/use-url-state';
import { notify } from '@/shared/lib/notices';
import { reportFailure } from '@/shared/lib/report-failure';
import { useConfirmDanger } from '@/shared/ui/confirm-danger';
import { type Column, DataTable, MOMENT_WIDTH, type RowAction, useTableState } from '@/shared/ui/data-table';
import { Moment } from '@/shared/ui/figures';
import { ListChoice } from '@/shared/ui/list-choice';
import { ListSearch } from '@/shared/ui/list-search';
import { confirmDelete } from '@/shared/widgets/delete-confirm';
import { allUsers, useDepartments, useRefresh, useRoleOptions, useTenants, useUsers } from './queries';
import { StatusMark } from './status-mark';
import './authority.css';

// Forms come when one is opened.
const DepartmentChoice = lazy(() => import('./department-choice'));
const PasswordDrawer = lazy(() => import('./password-drawer'));
const SendDrawer = lazy(() => import('./send-drawer'));
const UserDrawer = lazy(() => import('./user-drawer'));

export const USERS = 'authority-management/user-management';

const BUILT_IN = '-1';

/** A narrower list begins at its first page, in the same change of the address. */
const filterDefaults = { search: '', deptId: '', roleCode: '', status: '', customerId: '', current: 1 };

const keyOf = (user: UserListRecord) => user.userId;

/** What stands open at the right: a new user, or something about one that is there. */
type Open = { what: 'add' } | { what: 'edit' | 'password' | 'send'; user: UserListRecord };

export default function UsersPage() {
  const { t } = useTranslation('authority');
  const may = useMay(USERS);
  const state = useTableState();
  const [filter, setFilter] = useUrlState(filterDefaults);
  const [open, setOpen] = useState<Open>();
  const query = useUsers(state.request, filter);
  const columns = useColumns(setOpen);
  const { current: _, ...narrowed } = filter;
  const isFiltered = Object.values(narrowed).some((value) => value !== '');
  const add = may('create') && (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => setOpen({ what: 'add' })}>
      {t('user.add')}
    </Button>
  );
  return (
    <>
      <h1 className="visually-hidden">{t('user.title')}</h1>
      <DataTable
        label={t('user.title')}
        name="users"
        columns={columns}
        list={userPageList}
        query={query}
        state={state}
        rowKey={keyOf}
        loadAll={() => allUsers(state.request, filter)}
        empty={isFiltered ? { title: t('user.emptyFiltered') } : { title: t('user.empty'), action: add }}
        toolbar={
          <>
            {add}
            <Filters filter={filter} onChange={(part) => setFilter({ ...part, current: 1 })} />
          </>
        }
      />
      <Suspense>
        {open?.what === 'add' && <UserDrawer onClose={() => setOpen(undefined)} />}
        {open?.what === 'edit' && <UserDrawer userId={open.user.userId} onClose={() => setOpen(undefined)} />}
        {open?.what === 'password' && <PasswordDrawer user={open.user} onClose={() => setOpen(undefined)} />}
        {open?.what === 'send' && <SendDrawer user={open.user} onClose={() => setOpen(undefined)} />}
      </Suspense>
    </>
  );
}

interface FiltersProps {
  filter: typeof filterDefaults;
  onChange: (part: Partial<typeof filterDefaults>) => void;
}

function Filters({ filter, onChange }: FiltersProps) {
  const { t } = useTranslation('authority');
  const mayDepartments = useMay('authority-management/dept-management')('view');
  const tenants = useTenants().data ?? [];
  const roles = useRoleOptions(filter.customerId).data ?? [];
  const departments = useDepartments(filter.customerId, mayDepartments).data ?? [];
  return (
    <>
      <ListSearch
        label={t('user.search')}
        value={filter.search}
        onSearch={(search) => onChange({ search })}
      />
      {mayDepartments && departments.length > 0 && (
        <Suspense fallback={null}>
          <DepartmentChoice
            departments={departments}
            value={filter.deptId}
            onChange={(deptId) => onChange({ deptId })}
          />
        </Suspense>
      )}
      <ListChoice
        label={t('user.role')}
        value={filter.roleCode}
        onChange={(roleCode) => onChange({ roleCode })}
        options={[
          { value: '', label: t('user.anyRole') },
          ...roles.map(({ code, name }) => ({ value: code, label: name })),
        ]}
      />
      <ListChoice
        label={t('user.status')}
        value={filter.status}
        onChange={(status) => onChange({ status })}
        options={[
          { value: '', label: t('user.anyStatus') },
          ...(['0', '1', '2'] as const).map((value) => ({ value, label: t(`status.${value}`) })),
        ]}
      />
      {tenants.length > 1 && (
        <ListChoice
          label={t('user.tenant')}
          value={filter.customerId}
          onChange={(customerId) => onChange({ customerId, deptId: '', roleCode: '' })}
          options={[
            { value: '', label: t('user.anyTenant') },
            ...tenants.map(({ customerid, name }) => ({ value: customerid, label: name })),
          ]}
        />
      )}
    </>
  );
}

function useActions(setOpen: (open: Open) => void): (user: UserListRecord) => RowAction[] {
  const { t } = useTranslation(['authority', 'common']);
  const may = useMay(USERS);
  const refresh = useRefresh();
  const tenants = useTenants().data ?? [];
  const remove = (user: UserListRecord) =>
    confirmDelete({
      title: t('authority:user.deleteTitle', { name: user.userName }),
      content: t('authority:user.deleteHint'),
      dependants: { deleting: 'account/user/delete', id: user.userId },
      isRecycled: true,
      mode: 'post',
      run: async (proof) => {
        await call(userDelete({ body: { userId: user.userId, ...proof }, ...audited(user) })).catch(
          reportFailure('delete'),
        );
        notify('success', t('authority:user.deleted', { name: user.userName }));
        await refresh();
      },
    });
  const confirm = useConfirmDanger();
  const removeSecondFactor = (user: UserListRecord) =>
    confirm({
      title: t('authority:user.secondFactorTitle', { name: user.userName }),
      content: t('authority:user.secondFactorHint'),
      action: t('authority:user.removeSecondFactor'),
      run: async () => {
        await call(userRemoveSecondFactor({ body: { userId: user.userId }, ...audited(user) })).catch(
          reportFailure('submit'),
        );
        notify('success', t('authority:user.secondFactorRemoved', { name: user.userName }));
        await refresh();
      },
    });
  return (user) => {
    const locked = user.userType === BUILT_IN ? t('authority:user.builtIn') : undefined;
    const actions: (RowAction | false)[] = [
      may('edit') && {
        key: 'edit',
        label: t('authority:action.edit'),
        run: () => setOpen({ what: 'edit', user }),
      },
      may('delete') && {
        key: 'delete',
        label: t('authority:action.delete'),
        danger: true,
        refused: locked,
        run: () => remove(user),
      },
      may('edit') && {
        key: 'password',
        label: t('authority:user.resetPassword'),
        run: () => setOpen({ what: 'password', user }),
      },
      may('edit') &&
        user.secondFactor && {
          key: 'secondFactor',
          label: t('authority:user.removeSecondFactor'),
          danger: true,
          run: () => removeSecondFactor(user),
        },
      may('edit') &&
        tenants.length > 1 && {
          key: 'send',
          label: t('authority:user.send'),
          refused: locked,
          run: () => setOpen({ what: 'send', user }),
        },
    ];
    return actions.filter((action) => action !== false);
  };
}

function useColumns(setOpen: (open: Open) => void): Column<UserListRecord>[] {
  const { t } = useTranslation('authority');
  const actions = useActions(setOpen);
  return useMemo(
    () => [
      {
        key: 'userName',
        type: 'text',
        title: t('user.userName'),
        minWidth: 130,
        essential: true,
        text: ({ userName }) => userName,
      },
      {
        key: 'nickName',
        type: 'text',
        title: t('user.nickName'),
        width: 110,
        text: (u) => u.nickName,
      },
      {
        key: 'status',
        title: t('user.status'),
        width: 110,
        essential: true,
        text: ({ status }) => t(`status.${status}`),
        render: ({ status }) => <StatusMark status={status} />,
      },
      {
        key: 'roleCode',
        type: 'text',
        title: t('user.role'),
        width: 144,
        text: (u) => u.roleName,
      },
      {
        key: 'deptName',
        type: 'text',
        title: t('user.department'),
        width: 130,
        text: (u) => u.deptName,
      },
      {
        key: 'customerName',
        type: 'text',
        title: t('user.tenant'),
        width: 120,
        leaveOut: true,
        text: (u) => u.customerName,
      },
      {
        key: 'phone',
        type: 'text',
        title: t('user.phone'),
        width: 120,
        text: (u) => u.phone,
      },
      {
        key: 'email',
        type: 'text',
        title: t('user.email'),
        minWidth: 160,
        leaveOut: true,
        text: (u) => u.email,
      },
      {
        key: 'secondFactor',
        type: 'text',
        title: t('user.secondFactor'),
        width: 120,
        leaveOut: true,
        text: (u) => t(u.secondFactor ? 'user.secondFactorOn' : 'user.secondFactorOff'),
      },
      {
        key: 'clientRemote',
        type: 'text',
        title: t('user.clientRemote'),
        width: 110,
        hidden: true,
        text: (u) => t(u.clientRemote ? 'yes' : 'no'),
      },
      {
        key: 'updatedAt',
        title: t('updatedAt'),
        width: MOMENT_WIDTH,
        hidden: true,
        text: (u) => u.updatedAt,
        render: ({ updatedAt }) => <Moment at={updatedAt} />,
      },
      {
        key: 'actions',
        type: 'options',
        title: t('actions'),
        width: 230,
        fixed: 'right',
        essential: true,
        actions,
      },
    ],
    [t, actions],
  );
}

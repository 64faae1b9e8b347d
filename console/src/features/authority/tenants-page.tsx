import { PlusOutlined } from '@ant-design/icons';
import { Button, Input, Select } from 'antd';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { audited, type CustomerRecord, call, tenantDelete } from '@/shared/api';
import { useMay } from '@/shared/hooks/use-may';
import { useUrlState } from '@/shared/hooks/use-url-state';
import { notify } from '@/shared/lib/notices';
import { tell } from '@/shared/lib/tell';
import { type Column, DataTable, type RowAction, useTableState } from '@/shared/ui/data-table';
import { Moment } from '@/shared/ui/figures';
import { confirmDelete } from '@/shared/widgets/delete-confirm';
import { allTenants, useRefresh, useTenantPage } from './queries';
import { StatusMark } from './status-mark';
import { TenantDrawer } from './tenant-drawer';
import './authority.css';

const TENANTS = 'customer';

const filterDefaults = { search: '', status: '', current: 1 };

const keyOf = (tenant: CustomerRecord) => tenant.customerid;

export default function TenantsPage() {
  const { t } = useTranslation('authority');
  const may = useMay(TENANTS);
  const state = useTableState();
  const [filter, setFilter] = useUrlState(filterDefaults);
  const [open, setOpen] = useState<{ edit?: CustomerRecord }>();
  const query = useTenantPage(state.request, filter);
  const columns = useColumns(setOpen);
  return (
    <>
      <h1 className="visually-hidden">{t('tenant.title')}</h1>
      <DataTable
        label={t('tenant.title')}
        name="tenants"
        columns={columns}
        query={query}
        state={state}
        rowKey={keyOf}
        loadAll={() => allTenants(state.request, filter)}
        empty={{ title: t('tenant.emptyFiltered') }}
        toolbar={
          <>
            {may('create') && (
              <Button type="primary" icon={<PlusOutlined />} onClick={() => setOpen({})}>
                {t('tenant.add')}
              </Button>
            )}
            <Input.Search
              key={filter.search}
              className="list-search"
              placeholder={t('tenant.search')}
              aria-label={t('tenant.search')}
              defaultValue={filter.search}
              allowClear
              onSearch={(search) => setFilter({ search: search.trim(), current: 1 })}
            />
            <Select
              aria-label={t('user.status')}
              value={filter.status}
              popupMatchSelectWidth={false}
              onChange={(status) => setFilter({ status, current: 1 })}
              options={[
                { value: '', label: t('user.anyStatus') },
                ...(['0', '1'] as const).map((value) => ({ value, label: t(`status.${value}`) })),
              ]}
            />
          </>
        }
      />
      {open && <TenantDrawer edit={open.edit} onClose={() => setOpen(undefined)} />}
    </>
  );
}

function useActions(setOpen: (open: { edit: CustomerRecord }) => void): (row: CustomerRecord) => RowAction[] {
  const { t } = useTranslation('authority');
  const may = useMay(TENANTS);
  const refresh = useRefresh();
  const remove = (tenant: CustomerRecord) =>
    confirmDelete({
      title: t('tenant.deleteTitle', { name: tenant.name }),
      content: t('tenant.deleteHint'),
      mode: 'post',
      run: async (proof) => {
        await call(
          tenantDelete({ body: { customerid: tenant.customerid, ...proof }, ...audited(tenant) }),
        ).catch(tell);
        notify('success', t('tenant.deleted', { name: tenant.name }));
        await refresh();
      },
    });
  return (tenant) => {
    const actions: (RowAction | false)[] = [
      may('edit') && { key: 'edit', label: t('action.edit'), run: () => setOpen({ edit: tenant }) },
      may('delete') && {
        key: 'delete',
        label: t('action.delete'),
        danger: true,
        refused: tenant.builtIn ? t('tenant.builtIn') : undefined,
        run: () => remove(tenant),
      },
    ];
    return actions.filter((action) => action !== false);
  };
}

function useColumns(setOpen: (open: { edit: CustomerRecord }) => void): Column<CustomerRecord>[] {
  const { t } = useTranslation('authority');
  const actions = useActions(setOpen);
  return useMemo(
    () => [
      {
        key: 'code',
        type: 'text',
        title: t('tenant.code'),
        minWidth: 120,
        sortable: true,
        essential: true,
        text: ({ code }) => code,
      },
      {
        key: 'name',
        type: 'text',
        title: t('tenant.name'),
        minWidth: 140,
        sortable: true,
        text: ({ name }) => name,
      },
      {
        key: 'status',
        title: t('user.status'),
        width: 110,
        sortable: true,
        text: ({ status }) => t(`status.${status}`),
        render: ({ status }) => <StatusMark status={status} />,
      },
      {
        key: 'users',
        type: 'text',
        title: t('tenant.users'),
        width: 90,
        align: 'right',
        sortable: true,
        text: ({ users }) => users,
      },
      {
        key: 'links',
        type: 'text',
        title: t('tenant.links'),
        width: 110,
        align: 'right',
        sortable: true,
        text: ({ links }) => links,
      },
      {
        key: 'contact',
        type: 'text',
        title: t('tenant.contact'),
        width: 120,
        text: ({ contact }) => contact,
      },
      {
        key: 'phone',
        type: 'text',
        title: t('tenant.phone'),
        width: 140,
        leaveOut: true,
        text: ({ phone }) => phone,
      },
      {
        key: 'createdAt',
        title: t('createdAt'),
        width: 160,
        sortable: true,
        leaveOut: true,
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

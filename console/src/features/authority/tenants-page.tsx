import { lazy, Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { audited, type CustomerRecord, call, tenantDelete } from '@/shared/api';
import { tenantPageList } from '@/shared/api/lists';
import { useUrlState } from '@/shared/hooks/use-url-state';
import { type Column, MOMENT_WIDTH, useTableState } from '@/shared/ui/data-table';
import { Moment } from '@/shared/ui/figures';
import { ListChoice } from '@/shared/ui/list-choice';
import { allTenants, useTenantPage } from './queries';
import { type Kind, RecordList, useRecordActions } from './record-list';
import { StatusMark } from './status-mark';

const TenantDrawer = lazy(() => import('./tenant-drawer'));

const TENANTS: Kind = { noun: 'tenant', menu: 'customer' };

const filterDefaults = { search: '', status: '', current: 1 };

const keyOf = (tenant: CustomerRecord) => tenant.customerid;

export default function TenantsPage() {
  const { t } = useTranslation('authority');
  const state = useTableState();
  const [filter, setFilter] = useUrlState(filterDefaults);
  const [open, setOpen] = useState<{ edit?: CustomerRecord }>();
  const query = useTenantPage(state.request, filter);
  const columns = useColumns(setOpen);
  return (
    <>
      <RecordList
        kind={TENANTS}
        columns={columns}
        list={tenantPageList}
        query={query}
        state={state}
        rowKey={keyOf}
        loadAll={() => allTenants(state.request, filter)}
        search={filter.search}
        onSearch={(search) => setFilter({ search, current: 1 })}
        onAdd={() => setOpen({})}
        filters={
          <ListChoice
            label={t('user.status')}
            value={filter.status}
            onChange={(status) => setFilter({ status, current: 1 })}
            options={[
              { value: '', label: t('user.anyStatus') },
              ...(['0', '1'] as const).map((value) => ({ value, label: t(`status.${value}`) })),
            ]}
          />
        }
      />
      <Suspense>{open && <TenantDrawer edit={open.edit} onClose={() => setOpen(undefined)} />}</Suspense>
    </>
  );
}

function useColumns(setOpen: (open: { edit: CustomerRecord }) => void): Column<CustomerRecord>[] {
  const { t } = useTranslation('authority');
  const actions = useRecordActions<CustomerRecord>(TENANTS, (tenant) => ({
    edit: () => setOpen({ edit: tenant }),
    remove: (proof) =>
      call(tenantDelete({ body: { customerid: tenant.customerid, ...proof }, ...audited(tenant) })),
    dependants: { deleting: 'customer/delete', id: tenant.customerid },
    cannotRemove: tenant.builtIn ? t('tenant.builtIn') : undefined,
  }));
  return useMemo(
    () => [
      {
        key: 'code',
        type: 'text',
        title: t('tenant.code'),
        minWidth: 120,
        essential: true,
        text: ({ code }) => code,
      },
      {
        key: 'name',
        type: 'text',
        title: t('tenant.name'),
        minWidth: 140,
        text: ({ name }) => name,
      },
      {
        key: 'status',
        title: t('user.status'),
        width: 110,
        text: ({ status }) => t(`status.${status}`),
        render: ({ status }) => <StatusMark status={status} />,
      },
      {
        key: 'users',
        type: 'text',
        title: t('tenant.users'),
        width: 90,
        align: 'right',
        text: ({ users }) => users,
      },
      {
        key: 'links',
        type: 'text',
        title: t('tenant.links'),
        width: 110,
        align: 'right',
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
        width: MOMENT_WIDTH,
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

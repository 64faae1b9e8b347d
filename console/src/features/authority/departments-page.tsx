import { PlusOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { lazy, Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { audited, call, type DepartmentRecord, departmentDelete } from '@/shared/api';
import { useMay } from '@/shared/hooks/use-may';
import { useUrlState } from '@/shared/hooks/use-url-state';
import { notify } from '@/shared/lib/notices';
import { reportFailure } from '@/shared/lib/report-failure';
import { type Column, DataTable, type RowAction, useTableState } from '@/shared/ui/data-table';
import { ListSearch } from '@/shared/ui/list-search';
import { confirmDelete } from '@/shared/widgets/delete-confirm';
import { pageOf } from './page-of';
import { flat, useDepartments, useRefresh } from './queries';
import './authority.css';

// Forms come when one is opened.
const DepartmentDrawer = lazy(() => import('./department-drawer'));

const DEPARTMENTS = 'authority-management/dept-management';

const filterDefaults = { search: '', current: 1 };

type Row = DepartmentRecord & { depth: number };

const keyOf = (row: Row) => row.id;

type Open = { above?: DepartmentRecord; edit?: DepartmentRecord };

export default function DepartmentsPage() {
  const { t } = useTranslation('authority');
  const may = useMay(DEPARTMENTS);
  const state = useTableState();
  const [filter, setFilter] = useUrlState(filterDefaults);
  const [open, setOpen] = useState<Open>();
  const query = useDepartments();
  const columns = useColumns(setOpen);
  const rows = useMemo(() => flat(query.data ?? []), [query.data]);
  const found = rows.filter(({ name }) => name.toLowerCase().includes(filter.search.toLowerCase()));
  const add = may('create') && (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => setOpen({})}>
      {t('department.add')}
    </Button>
  );
  return (
    <>
      <h1 className="visually-hidden">{t('department.title')}</h1>
      <DataTable
        label={t('department.title')}
        name="departments"
        columns={columns}
        query={pageOf(query, found, state.request)}
        state={state}
        rowKey={keyOf}
        loadAll={async () => found}
        empty={
          filter.search
            ? { title: t('department.emptyFiltered') }
            : { title: t('department.empty'), hint: t('department.emptyHint'), action: add }
        }
        toolbar={
          <>
            {add}
            <ListSearch
              label={t('department.search')}
              value={filter.search}
              onSearch={(search) => setFilter({ search, current: 1 })}
            />
          </>
        }
      />
      <Suspense>{open && <DepartmentDrawer {...open} onClose={() => setOpen(undefined)} />}</Suspense>
    </>
  );
}

function useActions(setOpen: (open: Open) => void): (row: Row) => RowAction[] {
  const { t } = useTranslation('authority');
  const may = useMay(DEPARTMENTS);
  const refresh = useRefresh();
  const remove = (row: Row) =>
    confirmDelete({
      title: t('department.deleteTitle', { name: row.name }),
      content: t('department.deleteHint'),
      dependants: { deleting: 'account/dept/delete', id: row.id },
      mode: 'post',
      run: async (proof) => {
        await call(departmentDelete({ body: { id: row.id, ...proof }, ...audited(row) })).catch(
          reportFailure('delete'),
        );
        notify('success', t('department.deleted', { name: row.name }));
        await refresh();
      },
    });
  return (row) => {
    const inUse = row.users > 0 || row.children.length > 0;
    const actions: (RowAction | false)[] = [
      may('create') && { key: 'add', label: t('department.addBeneath'), run: () => setOpen({ above: row }) },
      may('edit') && { key: 'edit', label: t('action.edit'), run: () => setOpen({ edit: row }) },
      may('delete') && {
        key: 'delete',
        label: t('action.delete'),
        danger: true,
        refused: inUse
          ? t('department.inUse', { users: row.users, departments: row.children.length })
          : undefined,
        run: () => remove(row),
      },
    ];
    return actions.filter((action) => action !== false);
  };
}

function useColumns(setOpen: (open: Open) => void): Column<Row>[] {
  const { t } = useTranslation('authority');
  const actions = useActions(setOpen);
  return useMemo(
    () => [
      {
        key: 'name',
        title: t('department.name'),
        minWidth: 220,
        essential: true,
        text: ({ name }) => name,
        render: ({ name, depth }) => <span style={{ paddingInlineStart: depth * 20 }}>{name}</span>,
      },
      {
        key: 'customerName',
        type: 'text',
        title: t('user.tenant'),
        width: 160,
        text: ({ customerName }) => customerName,
      },
      {
        key: 'users',
        type: 'text',
        title: t('department.users'),
        width: 90,
        align: 'right',
        text: ({ users }) => users,
      },
      {
        key: 'position',
        type: 'text',
        title: t('department.position'),
        width: 90,
        align: 'right',
        text: ({ position }) => position,
      },
      {
        key: 'description',
        type: 'text',
        title: t('description'),
        minWidth: 200,
        leaveOut: true,
        text: ({ description }) => description,
      },
      {
        key: 'actions',
        type: 'options',
        title: t('actions'),
        width: 220,
        shown: 3,
        fixed: 'right',
        essential: true,
        actions,
      },
    ],
    [t, actions],
  );
}

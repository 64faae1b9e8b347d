import { PlusOutlined } from '@ant-design/icons';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Button } from 'antd';
import { lazy, Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { audited, call, type MenuRecord, menuDeleteGroup, menuMove } from '@/shared/api';
import { useMay } from '@/shared/hooks/use-may';
import { notify } from '@/shared/lib/notices';
import { reportFailure } from '@/shared/lib/report-failure';
import { type Column, DataTable, type RowAction, useTableState } from '@/shared/ui/data-table';
import { confirmDelete } from '@/shared/widgets/delete-confirm';
import { placeAfterMove } from './menu-order';
import { pageOf } from './page-of';
import { flat, menuQueryKey, useMenu, useRefresh, useRefreshMenu } from './queries';
import './authority.css';

// Forms come when one is opened.
const MenuDrawer = lazy(() => import('./menu-drawer'));

const MENUS = 'authority-management/menu-management';

type Row = MenuRecord & { depth: number };

const keyOf = (row: Row) => row.menuKey;

export default function MenusPage() {
  const { t } = useTranslation('authority');
  const may = useMay(MENUS);
  const state = useTableState();
  const [open, setOpen] = useState<{ edit?: MenuRecord }>();
  const query = useMenu();
  const tree = useMemo(() => query.data ?? [], [query.data]);
  const columns = useColumns(tree, setOpen);
  const rows = useMemo(() => flat(tree), [tree]);
  return (
    <>
      <h1 className="visually-hidden">{t('menu.title')}</h1>
      <DataTable
        label={t('menu.title')}
        name="menus"
        columns={columns}
        query={pageOf(query, rows, state.request)}
        state={state}
        rowKey={keyOf}
        loadAll={async () => rows}
        toolbar={
          may('create') && (
            <Button type="primary" icon={<PlusOutlined />} onClick={() => setOpen({})}>
              {t('menu.addGroup')}
            </Button>
          )
        }
      />
      <Suspense>
        {open && <MenuDrawer edit={open.edit} tree={tree} onClose={() => setOpen(undefined)} />}
      </Suspense>
    </>
  );
}

/** One move after the other, each from where the one before has left the entry, however quickly they are asked for. */
function useMove() {
  const client = useQueryClient();
  const refresh = useRefresh();
  const refreshMenu = useRefreshMenu();
  const { mutate } = useMutation({
    scope: { id: 'menu-move' },
    meta: { asked: 'modify' },
    mutationFn: async ({ row, by }: { row: Row; by: -1 | 1 }) => {
      const place = placeAfterMove(client.getQueryData<MenuRecord[]>(menuQueryKey) ?? [], row, by);
      if (place) await call(menuMove({ body: { menuKey: row.menuKey, ...place }, ...audited(row, place) }));
    },
    onSettled: () => Promise.all([refresh(), refreshMenu()]),
  });
  return mutate;
}

function useActions(tree: readonly MenuRecord[], setOpen: (open: { edit: MenuRecord }) => void) {
  const { t } = useTranslation('authority');
  const may = useMay(MENUS);
  const refresh = useRefresh();
  const refreshMenu = useRefreshMenu();
  const move = useMove();
  const remove = (row: Row) =>
    confirmDelete({
      title: t('menu.deleteTitle', { name: row.titleZh }),
      content: t('menu.deleteHint', { count: row.children.length }),
      dependants: null,
      mode: 'post',
      run: async (proof) => {
        await call(menuDeleteGroup({ body: { menuKey: row.menuKey, ...proof }, ...audited(row) })).catch(
          reportFailure('delete'),
        );
        notify('success', t('menu.deleted', { name: row.titleZh }));
        await Promise.all([refresh(), refreshMenu()]);
      },
    });
  return (row: Row): RowAction[] => {
    const stuck = (by: -1 | 1) => (placeAfterMove(tree, row, by) ? undefined : t('menu.atTheEnd'));
    const actions: (RowAction | false)[] = [
      may('edit') && { key: 'edit', label: t('action.edit'), run: () => setOpen({ edit: row }) },
      may('edit') && { key: 'up', label: t('menu.up'), refused: stuck(-1), run: () => move({ row, by: -1 }) },
      may('edit') && {
        key: 'down',
        label: t('menu.down'),
        refused: stuck(1),
        run: () => move({ row, by: 1 }),
      },
      may('delete') &&
        row.ownGroup && { key: 'delete', label: t('action.delete'), danger: true, run: () => remove(row) },
    ];
    return actions.filter((action) => action !== false);
  };
}

function useColumns(
  tree: readonly MenuRecord[],
  setOpen: (open: { edit: MenuRecord }) => void,
): Column<Row>[] {
  const { t } = useTranslation('authority');
  const actions = useActions(tree, setOpen);
  return useMemo(
    () => [
      {
        key: 'titleZh',
        title: t('menu.titleZh'),
        minWidth: 200,
        essential: true,
        text: ({ titleZh }) => titleZh,
        render: ({ titleZh, depth }) => <span style={{ paddingInlineStart: depth * 20 }}>{titleZh}</span>,
      },
      {
        key: 'titleEn',
        type: 'text',
        title: t('menu.titleEn'),
        minWidth: 160,
        text: ({ titleEn }) => titleEn,
      },
      {
        key: 'menuKey',
        type: 'text',
        title: t('menu.key'),
        minWidth: 200,
        length: 60,
        text: (row) => row.menuKey,
      },
      {
        key: 'kind',
        type: 'text',
        title: t('menu.kind'),
        width: 100,
        text: ({ kind }) => t(`menu.kinds.${kind}`),
      },
      {
        key: 'operations',
        type: 'text',
        title: t('menu.operations'),
        minWidth: 180,
        leaveOut: true,
        length: 60,
        text: (row) => row.operations.map((operation) => t(`operation.${operation}`)).join(' · '),
      },
      {
        key: 'hidden',
        type: 'text',
        title: t('menu.shown'),
        width: 90,
        text: ({ hidden }) => t(hidden ? 'no' : 'yes'),
      },
      {
        key: 'actions',
        type: 'options',
        title: t('actions'),
        width: 200,
        shown: 3,
        fixed: 'right',
        essential: true,
        actions,
      },
    ],
    [t, actions],
  );
}

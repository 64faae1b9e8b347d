import { PlusOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { lazy, Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { audited, call, type PolicyRecord, policyDeletePolicy } from '@/shared/api';
import { policyPagePoliciesList } from '@/shared/api/lists';
import { useMay } from '@/shared/hooks/use-may';
import { time } from '@/shared/lib/figures';
import { notify } from '@/shared/lib/notices';
import { reportFailure } from '@/shared/lib/report-failure';
import { paths } from '@/shared/pages/paths';
import {
  type Column,
  DataTable,
  MOMENT_WIDTH,
  type RowAction,
  useListFilter,
  useTableState,
} from '@/shared/ui/data-table';
import { Moment } from '@/shared/ui/figures';
import { ListSearch } from '@/shared/ui/list-search';
import { LiveMark } from '@/shared/ui/live-mark';
import { LookMark } from '@/shared/ui/state-tag';
import { confirmDelete } from '@/shared/widgets/delete-confirm';
import { lookOfPolicy } from './looks';
import { allPolicies, DEFINE, usePolicies, useRefresh } from './queries';

const PolicyDrawer = lazy(() => import('./policy-drawer'));
const ReleaseDrawer = lazy(() => import('./release-drawer'));
const VersionsDrawer = lazy(() => import('./versions-drawer'));

const defaults = { search: '' };
const keyOf = ({ id }: PolicyRecord) => id;

type Open = { what: 'policy' | 'release' | 'versions'; policy?: PolicyRecord };

/** Policies: drafts of what customers are to receive, and the versions that were made of them. */
export default function DefinePage() {
  const { t } = useTranslation('policy');
  const state = useTableState();
  const [filter, narrow] = useListFilter('policies', defaults);
  const [open, setOpen] = useState<Open>();
  const asked = { ...state.request, search: filter.search };
  const query = usePolicies(asked);
  const close = () => setOpen(undefined);
  const add = useMay(DEFINE)('create') && (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => setOpen({ what: 'policy' })}>
      {t('add')}
    </Button>
  );
  return (
    <>
      <h1 className="visually-hidden">{t('title')}</h1>
      <DataTable
        label={t('title')}
        name="policies"
        columns={useColumns((what, policy) => setOpen({ what, policy }))}
        list={policyPagePoliciesList}
        query={query}
        state={state}
        rowKey={keyOf}
        loadAll={() => allPolicies(asked)}
        empty={
          filter.search
            ? { title: t('emptyFiltered') }
            : { title: t('empty'), hint: t('emptyHint'), action: add || undefined }
        }
        toolbar={
          <>
            {add}
            <ListSearch label={t('search')} value={filter.search} onSearch={(search) => narrow({ search })} />
          </>
        }
        extra={<LiveMark query={query} />}
      />
      <Suspense>
        {open?.what === 'policy' && <PolicyDrawer edit={open.policy} onClose={close} />}
        {open?.what === 'release' && open.policy && <ReleaseDrawer policy={open.policy} onClose={close} />}
        {open?.what === 'versions' && open.policy && <VersionsDrawer policy={open.policy} onClose={close} />}
      </Suspense>
    </>
  );
}

function useColumns(onOpen: (what: Open['what'], policy: PolicyRecord) => void): Column<PolicyRecord>[] {
  const { t } = useTranslation('policy');
  const actions = useActions(onOpen);
  return useMemo<Column<PolicyRecord>[]>(
    () => [
      {
        key: 'productName',
        type: 'text',
        title: t('name'),
        minWidth: 120,
        essential: true,
        text: ({ productName }) => productName,
      },
      {
        key: 'state',
        title: t('state'),
        width: 130,
        text: ({ state }) => t(`states.${state}`),
        render: ({ state }) => <LookMark look={lookOfPolicy[state]} label={t(`states.${state}`)} />,
      },
      {
        key: 'nodeName',
        type: 'text',
        title: t('node'),
        minWidth: 110,
        text: ({ nodeName }) => nodeName ?? t('nodeGone'),
      },
      {
        key: 'tables',
        title: t('tables'),
        width: 80,
        align: 'right',
        text: ({ tables }) => tables,
        render: ({ tables }) => tables,
      },
      {
        key: 'newest',
        title: t('newest'),
        width: 100,
        align: 'right',
        text: ({ newest }) => newest ?? t('none'),
        render: ({ newest }) => newest ?? t('none'),
      },
      {
        key: 'customers',
        title: t('customers'),
        width: 100,
        align: 'right',
        text: ({ customers }) => customers,
        render: ({ customers }) => customers,
      },
      {
        key: 'remark',
        type: 'text',
        title: t('remark'),
        leaveOut: true,
        minWidth: 150,
        length: 60,
        text: ({ remark }) => remark,
      },
      {
        key: 'updatedAt',
        leaveOut: true,
        title: t('updated'),
        width: MOMENT_WIDTH,
        text: ({ updatedAt }) => time(updatedAt),
        render: ({ updatedAt }) => <Moment at={updatedAt} />,
      },
      {
        key: 'actions',
        type: 'options',
        title: t('actions'),
        width: 240,
        fixed: 'right',
        essential: true,
        shown: 3,
        actions,
      },
    ],
    [t, actions],
  );
}

function useActions(
  onOpen: (what: Open['what'], policy: PolicyRecord) => void,
): (policy: PolicyRecord) => RowAction[] {
  const { t } = useTranslation('policy');
  const may = useMay(DEFINE);
  const navigate = useNavigate();
  const remove = useDeletion();
  return (policy) => [
    { key: 'tables', label: t('tables'), run: () => navigate(paths.policySheet(policy.id)) },
    { key: 'versions', label: t('versions'), run: () => onOpen('versions', policy) },
    ...(may('operate')
      ? [
          {
            key: 'release',
            label: t('release'),
            run: () => onOpen('release', policy),
            ...(policy.tables === 0 ? { refused: t('releaseEmpty') } : {}),
            ...(policy.state === 'released' ? { refused: t('releaseSame') } : {}),
          },
        ]
      : []),
    ...(may('edit') ? [{ key: 'edit', label: t('edit'), run: () => onOpen('policy', policy) }] : []),
    ...(may('delete')
      ? [
          {
            key: 'delete',
            label: t('delete'),
            danger: true,
            run: () => remove(policy),
            ...(policy.customers > 0 ? { refused: t('deleteUsed', { count: policy.customers }) } : {}),
          },
        ]
      : []),
  ];
}

function useDeletion(): (policy: PolicyRecord) => void {
  const { t } = useTranslation('policy');
  const refresh = useRefresh();
  return (policy) =>
    confirmDelete({
      title: t('deleteTitle', { name: policy.productName }),
      content: t('deleteHint'),
      dependants: { deleting: 'policy/define/delete', id: policy.id },
      isRecycled: true,
      action: t('delete'),
      mode: 'post',
      run: async (proof) => {
        await call(policyDeletePolicy({ body: { id: policy.id, ...proof }, ...audited(policy) })).catch(
          reportFailure('delete'),
        );
        notify('success', t('deleted', { name: policy.productName }));
        await refresh();
      },
    });
}

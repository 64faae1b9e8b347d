import { Drawer } from 'antd';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  call,
  type PolicyRecord,
  type PolicyVersionRecord,
  policyReinstateVersion,
  policyRestoreVersion,
  policyRetireVersion,
} from '@/shared/api';
import { policyPageVersionsList } from '@/shared/api/lists';
import { useMay } from '@/shared/hooks/use-may';
import { time } from '@/shared/lib/figures';
import { notify } from '@/shared/lib/notices';
import { reportFailure } from '@/shared/lib/report-failure';
import { usePageActive } from '@/shared/pages/page-context';
import { useConfirmDanger } from '@/shared/ui/confirm-danger';
import {
  type Column,
  DataTable,
  MOMENT_WIDTH,
  type RowAction,
  useOwnTableState,
} from '@/shared/ui/data-table';
import { Moment } from '@/shared/ui/figures';
import { LookMark } from '@/shared/ui/state-tag';
import { DifferenceView } from './difference-view';
import { DEFINE, useRefresh, useVersions } from './queries';

const keyOf = ({ number }: PolicyVersionRecord) => String(number);

/** The versions of a policy: compared, retired, taken as the draft again. */
export default function VersionsDrawer({ policy, onClose }: { policy: PolicyRecord; onClose: () => void }) {
  const { t } = useTranslation('policy');
  const isActive = usePageActive();
  const state = useOwnTableState();
  const [compared, setCompared] = useState<number>();
  return (
    <Drawer
      title={t('versionsOf', { name: policy.productName })}
      open={isActive}
      onClose={onClose}
      size="60%"
      className="table-drawer"
    >
      <DataTable
        label={t('versions')}
        name="policy-versions"
        columns={useColumns(policy, setCompared)}
        list={policyPageVersionsList}
        query={useVersions(policy.id, state.request)}
        state={state}
        rowKey={keyOf}
        empty={{ title: t('noVersions'), hint: t('noVersionsHint') }}
      />
      {compared !== undefined && (
        <section aria-label={t('differenceOf', { number: compared })}>
          <h2>{t('differenceOf', { number: compared })}</h2>
          <DifferenceView id={policy.id} before={compared - 1} after={compared} />
        </section>
      )}
    </Drawer>
  );
}

function useColumns(
  policy: PolicyRecord,
  onCompare: (number: number) => void,
): Column<PolicyVersionRecord>[] {
  const { t } = useTranslation('policy');
  const actions = useActions(policy, onCompare);
  return useMemo<Column<PolicyVersionRecord>[]>(
    () => [
      {
        key: 'number',
        title: t('version'),
        width: 80,
        essential: true,
        text: ({ number }) => number,
        render: ({ number }) => number,
      },
      {
        key: 'state',
        of: ['retiredAt'],
        title: t('state'),
        width: 120,
        text: ({ retiredAt }) => t(retiredAt ? 'retired' : 'usable'),
        render: ({ retiredAt }) => (
          <LookMark look={retiredAt ? 'quiet' : 'good'} label={t(retiredAt ? 'retired' : 'usable')} />
        ),
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
        key: 'customers',
        title: t('customers'),
        width: 100,
        align: 'right',
        text: ({ customers }) => customers,
        render: ({ customers }) => customers,
      },
      { key: 'note', type: 'text', title: t('note'), minWidth: 140, length: 60, text: ({ note }) => note },
      {
        key: 'createdBy',
        title: t('createdBy'),
        width: 110,
        text: ({ createdBy }) => createdBy,
        render: ({ createdBy }) => createdBy,
      },
      {
        key: 'createdAt',
        title: t('created'),
        width: MOMENT_WIDTH,
        text: ({ createdAt }) => time(createdAt),
        render: ({ createdAt }) => <Moment at={createdAt} />,
      },
      { key: 'actions', type: 'options', title: t('actions'), width: 190, fixed: 'right', shown: 2, actions },
    ],
    [t, actions],
  );
}

function useActions(
  { id, productName }: PolicyRecord,
  onCompare: (number: number) => void,
): (version: PolicyVersionRecord) => RowAction[] {
  const { t } = useTranslation('policy');
  const may = useMay(DEFINE);
  const refresh = useRefresh();
  const confirm = useConfirmDanger();
  const done = async (asked: Promise<unknown>, text: string) => {
    await asked.catch(reportFailure('status'));
    notify('success', text);
    await refresh();
  };
  const retire = ({ number, customers }: PolicyVersionRecord) =>
    confirm({
      title: t('retireTitle', { name: productName, number }),
      content: t('retireHint', { count: customers }),
      action: t('retire'),
      run: () =>
        done(call(policyRetireVersion({ body: { id, version: number } })), t('retiredNow', { number })),
    });
  const restore = ({ number }: PolicyVersionRecord) =>
    confirm({
      title: t('restoreTitle', { name: productName, number }),
      content: t('restoreHint'),
      action: t('restore'),
      run: () =>
        done(call(policyRestoreVersion({ body: { id, version: number } })), t('restored', { number })),
    });
  const reinstate = ({ number }: PolicyVersionRecord) =>
    done(call(policyReinstateVersion({ body: { id, version: number } })), t('reinstated', { number })).catch(
      () => undefined,
    );
  return (version) => [
    {
      key: 'compare',
      label: t('compare'),
      run: () => onCompare(version.number),
      ...(version.number === 1 ? { refused: t('compareFirst') } : {}),
    },
    ...(may('operate')
      ? [
          version.retiredAt
            ? { key: 'reinstate', label: t('reinstate'), run: () => reinstate(version) }
            : { key: 'retire', label: t('retire'), danger: true, run: () => retire(version) },
        ]
      : []),
    ...(may('edit') ? [{ key: 'restore', label: t('restore'), run: () => restore(version) }] : []),
  ];
}

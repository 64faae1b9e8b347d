import { SendOutlined } from '@ant-design/icons';
import { Button, Checkbox } from 'antd';
import { lazy, Suspense, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  call,
  type DeliveryResult,
  type PolicyDeliveryRecord,
  policyRevokeDeliveries,
  policyRollBackDeliveries,
} from '@/shared/api';
import { policyPageDeliveriesList } from '@/shared/api/lists';
import { useMay } from '@/shared/hooks/use-may';
import { time } from '@/shared/lib/figures';
import { notify } from '@/shared/lib/notices';
import { reportFailure } from '@/shared/lib/report-failure';
import { useConfirmDanger } from '@/shared/ui/confirm-danger';
import {
  type Column,
  DataTable,
  MOMENT_WIDTH,
  type RowAction,
  useListFilter,
  useTableState,
} from '@/shared/ui/data-table';
import { Moment } from '@/shared/ui/figures';
import { ListChoice } from '@/shared/ui/list-choice';
import { ListSearch } from '@/shared/ui/list-search';
import { LiveMark } from '@/shared/ui/live-mark';
import { LookMark, stateLabel } from '@/shared/ui/state-tag';
import { follow } from '@/shared/widgets/call-progress';
import { confirmDelete } from '@/shared/widgets/delete-confirm';
import { lookOfDelivery } from './looks';
import { allDeliveries, DISTRIBUTE, useDeliveries, useRefresh } from './queries';

const DistributeDrawer = lazy(() => import('./distribute-drawer'));
const ResultsDialog = lazy(() => import('./results-dialog'));

const defaults = { search: '', state: '' };
const states = Object.keys(lookOfDelivery) as PolicyDeliveryRecord['state'][];
const keyOf = ({ id }: PolicyDeliveryRecord) => id;

/** What customers have of policies: given, upgraded, rolled back, revoked. */
export default function DistributePage() {
  const { t } = useTranslation('policy');
  const state = useTableState();
  const [filter, narrow] = useListFilter('policy-deliveries', defaults);
  const [open, setOpen] = useState<{ upgrade?: PolicyDeliveryRecord }>();
  const [results, setResults] = useState<readonly DeliveryResult[]>();
  const asked = {
    ...state.request,
    search: filter.search,
    state: states.filter((one) => one === filter.state),
  };
  const query = useDeliveries(asked);
  const show = (found: readonly DeliveryResult[]) => {
    if (found.every(({ done }) => done)) notify('success', t('delivered', { count: found.length }));
    else setResults(found);
  };
  const distribute = useMay(DISTRIBUTE)('operate') && (
    <Button type="primary" icon={<SendOutlined />} onClick={() => setOpen({})}>
      {t('distribute')}
    </Button>
  );
  return (
    <>
      <h1 className="visually-hidden">{t('distribution')}</h1>
      <DataTable
        label={t('distribution')}
        name="policy-deliveries"
        columns={useColumns((upgrade) => setOpen({ upgrade }), show)}
        list={policyPageDeliveriesList}
        query={query}
        state={state}
        rowKey={keyOf}
        loadAll={() => allDeliveries(asked)}
        empty={
          filter.search || filter.state
            ? { title: t('emptyFiltered') }
            : { title: t('noDeliveries'), hint: t('noDeliveriesHint'), action: distribute || undefined }
        }
        toolbar={
          <>
            {distribute}
            <ListSearch
              label={t('searchDelivery')}
              value={filter.search}
              onSearch={(search) => narrow({ search })}
            />
            <ListChoice
              label={t('state')}
              value={filter.state}
              onChange={(wanted) => narrow({ state: wanted })}
              options={[
                { value: '', label: t('anyState') },
                ...states.map((value) => ({ value: value as string, label: t(`deliveryStates.${value}`) })),
              ]}
            />
          </>
        }
        extra={<LiveMark query={query} />}
      />
      <Suspense>
        {open && (
          <DistributeDrawer upgrade={open.upgrade} onResults={show} onClose={() => setOpen(undefined)} />
        )}
        {results && <ResultsDialog results={results} onClose={() => setResults(undefined)} />}
      </Suspense>
    </>
  );
}

function useColumns(
  onUpgrade: (delivery: PolicyDeliveryRecord) => void,
  onResults: (results: readonly DeliveryResult[]) => void,
): Column<PolicyDeliveryRecord>[] {
  const { t } = useTranslation('policy');
  const actions = useActions(onUpgrade, onResults);
  return useMemo<Column<PolicyDeliveryRecord>[]>(
    () => [
      {
        key: 'productName',
        type: 'text',
        title: t('policy'),
        minWidth: 110,
        essential: true,
        text: ({ productName }) => productName,
      },
      {
        key: 'customerName',
        type: 'text',
        title: t('customer'),
        minWidth: 110,
        essential: true,
        text: ({ customerName }) => customerName,
      },
      {
        key: 'controlName',
        type: 'text',
        title: t('master'),
        minWidth: 110,
        text: ({ controlName, channelName }) => [controlName, channelName].filter(Boolean).join(' / '),
      },
      {
        key: 'version',
        title: t('version'),
        width: 80,
        align: 'right',
        text: ({ version }) => version ?? t('none'),
        render: ({ version }) => version ?? t('none'),
      },
      {
        key: 'state',
        title: t('state'),
        width: 130,
        text: ({ state }) => t(`deliveryStates.${state}`),
        render: ({ state }) => <LookMark look={lookOfDelivery[state]} label={t(`deliveryStates.${state}`)} />,
      },
      {
        key: 'tables',
        type: 'text',
        title: t('tables'),
        minWidth: 120,
        length: 60,
        text: ({ tablesByState }) =>
          Object.entries(tablesByState)
            .map(([state, count]) => `${stateLabel(state)} ${count}`)
            .join(', '),
      },
      {
        key: 'reason',
        type: 'text',
        title: t('lastFailure'),
        minWidth: 120,
        length: 80,
        text: ({ reason, failedVersion }) =>
          reason ? t('failureOf', { number: failedVersion, reason: reason.text }) : '',
      },
      {
        key: 'previous',
        title: t('previous'),
        leaveOut: true,
        width: 110,
        align: 'right',
        text: ({ previous }) => previous ?? t('none'),
        render: ({ previous }) => previous ?? t('none'),
      },
      {
        key: 'askedBy',
        title: t('askedBy'),
        width: 100,
        leaveOut: true,
        text: ({ askedBy }) => askedBy,
        render: ({ askedBy }) => askedBy,
      },
      {
        key: 'givenAt',
        title: t('given'),
        leaveOut: true,
        width: MOMENT_WIDTH,
        text: ({ givenAt }) => time(givenAt),
        render: ({ givenAt }) => <Moment at={givenAt} />,
      },
      {
        key: 'actions',
        type: 'options',
        title: t('actions'),
        width: 190,
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
  onUpgrade: (delivery: PolicyDeliveryRecord) => void,
  onResults: (results: readonly DeliveryResult[]) => void,
): (delivery: PolicyDeliveryRecord) => RowAction[] {
  const { t } = useTranslation('policy');
  const may = useMay(DISTRIBUTE);
  const refresh = useRefresh();
  const confirm = useConfirmDanger();
  const revoke = useRevocation();
  const rollBack = ({ id, productName, customerName, version, previous }: PolicyDeliveryRecord) =>
    confirm({
      title: t('rollBackTitle', { policy: productName, customer: customerName }),
      content: t('rollBackHint', { from: version ?? t('none'), to: previous }),
      action: t('rollBack'),
      run: async () => {
        const name = t('rollBackTitle', { policy: productName, customer: customerName });
        const results = await follow(name, (headers) =>
          call(policyRollBackDeliveries({ body: { deliveries: [id] }, headers })),
        ).catch(reportFailure('status'));
        onResults(results);
        await refresh();
      },
    });
  return (delivery) => [
    ...(may('operate')
      ? [
          {
            key: 'upgrade',
            label: t('upgrade'),
            run: () => onUpgrade(delivery),
            ...(delivery.newest === null || delivery.version === delivery.newest
              ? { refused: t('upToDate') }
              : {}),
          },
          {
            key: 'rollback',
            label: t('rollBack'),
            run: () => rollBack(delivery),
            ...(delivery.previous === null ? { refused: t('noPrevious') } : {}),
          },
        ]
      : []),
    ...(may('delete')
      ? [{ key: 'revoke', label: t('revoke'), danger: true, run: () => revoke(delivery) }]
      : []),
  ];
}

function useRevocation(): (delivery: PolicyDeliveryRecord) => void {
  const { t } = useTranslation('policy');
  const refresh = useRefresh();
  const keep = useRef(false);
  return ({ id, productName, customerName, tables }) => {
    keep.current = false;
    confirmDelete({
      title: t('revokeTitle', { policy: productName, customer: customerName }),
      content: (
        <>
          <p>{t('revokeHint', { count: tables })}</p>
          <Checkbox
            onChange={({ target }) => {
              keep.current = target.checked;
            }}
          >
            {t('keepTables')}
          </Checkbox>
        </>
      ),
      action: t('revoke'),
      dependants: null,
      mode: 'post',
      run: async (proof) => {
        await call(
          policyRevokeDeliveries({ body: { deliveries: [id], keepTables: keep.current, ...proof } }),
        ).catch(reportFailure('delete'));
        notify('success', t('revoked', { policy: productName, customer: customerName }));
        await refresh();
      },
    });
  };
}

import { lazy, Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { NoticeDeliveryPageRequest, NoticeDeliveryRecord } from '@/shared/api';
import { notificationPageDeliveriesList } from '@/shared/api/lists';
import { useMay } from '@/shared/hooks/use-may';
import { time } from '@/shared/lib/figures';
import { type Column, DataTable, MOMENT_WIDTH, useListFilter, useTableState } from '@/shared/ui/data-table';
import { Moment } from '@/shared/ui/figures';
import { ListChoice } from '@/shared/ui/list-choice';
import { ListSearch } from '@/shared/ui/list-search';
import { LiveMark } from '@/shared/ui/live-mark';
import { DeliveryState } from './delivery-state';
import { deliveryStates } from './looks';
import { allDeliveries, MESSAGES, useDeliveries } from './queries';
import { useNoticeActions } from './use-notice-actions';

const DeliveryDrawer = lazy(() => import('./delivery-drawer'));

const defaults = { search: '', state: '' };
const keyOf = ({ id }: NoticeDeliveryRecord) => id;

/** Every notice to every receiver, the newest first. */
export function DeliveriesTab() {
  const { t } = useTranslation('notification');
  const state = useTableState();
  const [filter, narrow] = useListFilter('notice-deliveries', defaults);
  const [shown, setShown] = useState<NoticeDeliveryRecord>();
  const asked: NoticeDeliveryPageRequest = {
    ...state.request,
    search: filter.search,
    state: filter.state ? [filter.state as NoticeDeliveryRecord['state']] : [],
  };
  const query = useDeliveries(asked);
  return (
    <>
      <DataTable
        label={t('deliveries')}
        name="notice-deliveries"
        columns={useColumns(setShown)}
        list={notificationPageDeliveriesList}
        query={query}
        state={state}
        rowKey={keyOf}
        loadAll={() => allDeliveries(asked)}
        empty={
          filter.search || filter.state
            ? { title: t('emptyFiltered') }
            : { title: t('noDeliveries'), hint: t('noDeliveriesHint') }
        }
        toolbar={
          <>
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
                ...deliveryStates.map((value) => ({ value: value as string, label: t(`states.${value}`) })),
              ]}
            />
          </>
        }
        extra={<LiveMark query={query} />}
      />
      <Suspense>{shown && <DeliveryDrawer delivery={shown} onClose={() => setShown(undefined)} />}</Suspense>
    </>
  );
}

function useColumns(onOpen: (delivery: NoticeDeliveryRecord) => void): Column<NoticeDeliveryRecord>[] {
  const { t } = useTranslation('notification');
  const mayOperate = useMay(MESSAGES)('operate');
  const { resend } = useNoticeActions();
  return useMemo(() => {
    const moment = (
      key: 'createdAt' | 'endedAt' | 'nextAt',
      leaveOut = false,
    ): Column<NoticeDeliveryRecord> => ({
      key,
      title: t(key),
      width: MOMENT_WIDTH,
      leaveOut,
      text: (row) => time(row[key]),
      render: (row) => <Moment at={row[key]} />,
    });
    return [
      moment('createdAt'),
      {
        key: 'title',
        type: 'text',
        title: t('notice'),
        minWidth: 240,
        length: 80,
        essential: true,
        text: ({ title }) => title,
      },
      {
        key: 'receiverName',
        type: 'text',
        title: t('receiver'),
        minWidth: 120,
        text: ({ receiverName }) => receiverName,
      },
      {
        key: 'way',
        type: 'text',
        title: t('way'),
        width: 110,
        leaveOut: true,
        text: ({ way }) => t(`ways.${way}`),
      },
      {
        key: 'target',
        type: 'text',
        title: t('target'),
        minWidth: 140,
        length: 40,
        leaveOut: true,
        text: ({ target }) => target,
      },
      {
        key: 'state',
        title: t('state'),
        width: 110,
        essential: true,
        text: ({ state }) => t(`states.${state}`),
        render: (row) => <DeliveryState delivery={row} />,
      },
      {
        key: 'reason',
        type: 'text',
        title: t('reason'),
        minWidth: 160,
        length: 80,
        text: ({ reason }) => reason?.text ?? '',
      },
      {
        key: 'attempts',
        title: t('attempts'),
        width: 90,
        align: 'right',
        leaveOut: true,
        text: ({ attempts }) => attempts,
        render: ({ attempts }) => attempts,
      },
      moment('nextAt', true),
      moment('endedAt', true),
      {
        key: 'actions',
        type: 'options',
        title: t('actions'),
        width: 180,
        fixed: 'right',
        essential: true,
        shown: 2,
        actions: (row) => [
          { key: 'open', label: t('open'), run: () => onOpen(row) },
          ...(mayOperate && (row.state === 'sent' || row.state === 'failed')
            ? [{ key: 'resend', label: t('resend'), run: () => resend(row) }]
            : []),
        ],
      },
    ];
  }, [t, mayOperate, resend, onOpen]);
}

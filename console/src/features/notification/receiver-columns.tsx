import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { ReceiverRecord } from '@/shared/api';
import { useMay } from '@/shared/hooks/use-may';
import { time } from '@/shared/lib/figures';
import { type Column, MOMENT_WIDTH } from '@/shared/ui/data-table';
import { Moment } from '@/shared/ui/figures';
import { LookMark } from '@/shared/ui/state-tag';
import { DeliveryState } from './delivery-state';
import { MESSAGES } from './queries';
import { useNoticeActions } from './use-notice-actions';

export function useReceiverColumns(onEdit: (receiver: ReceiverRecord) => void): Column<ReceiverRecord>[] {
  const { t } = useTranslation('notification');
  const may = useMay(MESSAGES);
  const [mayOperate, mayEdit, mayDelete] = [may('operate'), may('edit'), may('delete')];
  const { test, remove } = useNoticeActions();
  return useMemo(
    () => [
      {
        key: 'name',
        type: 'text',
        title: t('name'),
        minWidth: 130,
        essential: true,
        text: ({ name }) => name,
      },
      { key: 'way', type: 'text', title: t('way'), width: 110, text: ({ way }) => t(`ways.${way}`) },
      {
        key: 'target',
        type: 'text',
        title: t('target'),
        minWidth: 180,
        length: 60,
        text: ({ target }) => target,
      },
      {
        key: 'enabled',
        title: t('enabled'),
        width: 100,
        text: ({ enabled }) => t(enabled ? 'on' : 'off'),
        render: ({ enabled }) => (
          <LookMark look={enabled ? 'good' : 'quiet'} label={t(enabled ? 'on' : 'off')} />
        ),
      },
      {
        key: 'scope',
        of: ['customerId', 'customerName'],
        type: 'text',
        title: t('scope'),
        minWidth: 120,
        text: ({ customerId, customerName }) =>
          customerId ? (customerName ?? t('customerGone')) : t('everything'),
      },
      {
        key: 'minLevel',
        type: 'text',
        title: t('minLevel'),
        width: 140,
        leaveOut: true,
        text: ({ minLevel }) => t(`levels.${minLevel as 0 | 1 | 3}`),
      },
      {
        key: 'last',
        title: t('last'),
        width: 110,
        text: ({ last }) => (last ? t(`states.${last.state}`) : ''),
        render: ({ last }) => (last ? <DeliveryState delivery={last} /> : t('never')),
      },
      {
        key: 'lastAt',
        of: ['last'],
        title: t('lastAt'),
        width: MOMENT_WIDTH,
        leaveOut: true,
        text: ({ last }) => time(last?.at),
        render: ({ last }) => <Moment at={last?.at} />,
      },
      {
        key: 'waiting',
        title: t('waiting'),
        width: 90,
        align: 'right',
        leaveOut: true,
        text: ({ waiting }) => waiting,
        render: ({ waiting }) => waiting,
      },
      {
        key: 'updatedAt',
        title: t('updatedAt'),
        width: MOMENT_WIDTH,
        leaveOut: true,
        text: ({ updatedAt }) => time(updatedAt),
        render: ({ updatedAt }) => <Moment at={updatedAt} />,
      },
      {
        key: 'actions',
        type: 'options',
        title: t('actions'),
        width: 190,
        fixed: 'right',
        essential: true,
        shown: 3,
        actions: (row) => [
          ...(mayOperate ? [{ key: 'test', label: t('test'), run: () => test(row) }] : []),
          ...(mayEdit ? [{ key: 'edit', label: t('edit'), run: () => onEdit(row) }] : []),
          ...(mayDelete ? [{ key: 'delete', label: t('delete'), danger: true, run: () => remove(row) }] : []),
        ],
      },
    ],
    [t, mayOperate, mayEdit, mayDelete, test, remove, onEdit],
  );
}

import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { RowErrorRecord } from '@/shared/api';
import { time } from '@/shared/lib/figures';
import { type Column, MOMENT_WIDTH, type RowAction } from '@/shared/ui/data-table';
import { Count, Moment } from '@/shared/ui/figures';
import { StateTag, stateLabel } from '@/shared/ui/state-tag';
import { isOpen, isRetryable } from './queries';
import { type Decide, keyText } from './use-decisions';

type Row = RowErrorRecord;

const CAUSE_LENGTH = 60;

interface Options {
  decide: Decide;
  show: (row: Row) => void;
  mayDecide: boolean;
}

export function useErrorColumns({ decide, show, mayDecide }: Options): Column<Row>[] {
  const { t } = useTranslation('row-error');
  return useMemo(() => [...facts(t), actions(t, { decide, show, mayDecide })], [t, decide, show, mayDecide]);
}

function facts(t: TFunction<'row-error'>): Column<Row>[] {
  return [
    {
      key: 'target',
      type: 'text',
      title: t('target'),
      minWidth: 120,
      text: ({ target }) => target,
    },
    {
      key: 'operation',
      type: 'text',
      title: t('operation'),
      width: 80,
      text: ({ operation }) => t(`operations.${operation}`),
    },
    { key: 'key', type: 'text', title: t('key'), minWidth: 100, essential: true, text: keyText },
    {
      key: 'status',
      title: t('status'),
      width: 120,
      essential: true,
      text: ({ status }) => stateLabel(status),
      render: ({ status, note, blocking }) => (
        <StateTag state={status} reason={{ text: blocking ? t('blocking') : note }} />
      ),
    },
    {
      key: 'code',
      type: 'text',
      title: t('cause'),
      minWidth: 220,
      length: CAUSE_LENGTH,
      text: ({ detail }) => detail,
    },
    {
      key: 'found',
      of: ['foundAt'],
      title: t('found'),
      width: MOMENT_WIDTH,
      leaveOut: true,
      text: ({ foundAt }) => time(foundAt),
      render: ({ foundAt }) => <Moment at={foundAt} />,
    },
    {
      key: 'changed',
      of: ['changedAt'],
      title: t('changed'),
      width: MOMENT_WIDTH,
      hidden: true,
      text: ({ changedAt }) => time(changedAt),
      render: ({ changedAt }) => <Moment at={changedAt} />,
    },
    {
      key: 'attempts',
      title: t('attempts'),
      width: 90,
      align: 'right',
      leaveOut: true,
      text: ({ attempts }) => attempts,
      render: ({ attempts }) => <Count value={attempts} />,
    },
  ];
}

function actions(t: TFunction<'row-error'>, { decide, show, mayDecide }: Options): Column<Row> {
  const deciding = (row: Row): RowAction[] =>
    (isRetryable(row) ? (['retry', 'skip'] as const) : (['skip'] as const)).map((decision) => ({
      key: decision,
      label: t(`verb.${decision}`),
      run: () => decide(decision, [row]),
    }));
  return {
    key: 'actions',
    type: 'options',
    title: t('actions'),
    width: 170,
    fixed: 'right',
    essential: true,
    actions: (row) => [
      { key: 'show', label: t('verb.show'), run: () => show(row) },
      ...(mayDecide && isOpen(row) ? deciding(row) : []),
    ],
  };
}

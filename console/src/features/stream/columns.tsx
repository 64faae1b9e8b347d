import { useTranslation } from 'react-i18next';
import type { StreamQueryRecord } from '@/shared/api';
import { count, duration } from '@/shared/lib/figures';
import { type Column, MOMENT_WIDTH } from '@/shared/ui/data-table';
import { Count, Moment } from '@/shared/ui/figures';
import { StateTag, stateLabel } from '@/shared/ui/state-tag';

type Row = StreamQueryRecord;

/** The words of stream queries. */
export function useWords() {
  return useTranslation('stream');
}

type Words = ReturnType<typeof useWords>['t'];

/** What both lists of stream queries begin with. */
export function first(t: Words): Column<Row>[] {
  return [
    {
      key: 'name',
      type: 'text',
      title: t('name'),
      minWidth: 140,
      essential: true,
      text: ({ name }) => name,
    },
    {
      key: 'state',
      title: t('state'),
      width: 170,
      text: ({ state }) => stateLabel(state),
      render: ({ state, reason }) => <StateTag state={state} reason={reason} />,
    },
    {
      key: 'targetTable',
      type: 'text',
      title: t('targetTable'),
      minWidth: 160,
      length: 40,
      text: ({ targetSchema, targetTable }) => `${targetSchema}.${targetTable}`,
    },
  ];
}

export function customer(t: Words): Column<Row> {
  return {
    key: 'customerName',
    type: 'text',
    title: t('customer'),
    minWidth: 120,
    text: ({ customerName }) => customerName,
  };
}

/** What is read; with how many rows of it the stream query holds where `withRows`. */
export function inputs(t: Words, withRows: boolean): Column<Row> {
  const one = ({ source, rows }: Row['inputs'][number]) => (withRows ? `${source} ${count(rows)}` : source);
  return {
    key: 'inputs',
    type: 'text',
    title: t(withRows ? 'inputRows' : 'inputs'),
    minWidth: 160,
    length: 60,
    text: (row) => row.inputs.map(one).join(', '),
  };
}

export function figure(
  t: Words,
  key: 'rows' | 'inserts' | 'updates' | 'deletes',
  leaveOut = false,
): Column<Row> {
  return {
    key,
    title: t(key),
    width: 100,
    align: 'right',
    leaveOut,
    text: (row) => row[key],
    render: (row) => <Count value={row[key]} />,
  };
}

export function span(t: Words, key: 'lagMs' | 'computedMs'): Column<Row> {
  return {
    key,
    title: t(key),
    width: 110,
    align: 'right',
    text: (row) => row[key],
    render: (row) => <span className="tabular">{duration(row[key])}</span>,
  };
}

export function moment(
  t: Words,
  key: 'computedAt' | 'lastChangeAt' | 'createdAt',
  more: Partial<Column<Row>> = {},
): Column<Row> {
  return {
    key,
    title: t(key),
    width: MOMENT_WIDTH,
    text: (row) => row[key],
    render: (row) => <Moment at={row[key]} />,
    ...more,
  } as Column<Row>;
}

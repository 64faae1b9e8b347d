import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { OperationRecord } from '@/shared/api';
import { copyText } from '@/shared/lib/copy';
import { time } from '@/shared/lib/figures';
import { notify } from '@/shared/lib/notices';
import { type Column, type ColumnFilter, MOMENT_WIDTH } from '@/shared/ui/data-table';
import { Moment } from '@/shared/ui/figures';
import { LookMark } from '@/shared/ui/state-tag';

type Record = OperationRecord;

const LOOKS = { done: 'good', failed: 'bad', begun: 'busy' } as const;

/** HTML that says where in a text the searched words stand. */
export function marked(text: string, wanted: string): string {
  const safe = (part: string) => part.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  const place = wanted ? text.toLowerCase().indexOf(wanted.toLowerCase()) : -1;
  if (place < 0) return safe(text);
  const end = place + wanted.length;
  return `${safe(text.slice(0, place))}<mark>${safe(text.slice(place, end))}</mark>${safe(text.slice(end))}`;
}

async function copy(text: string, said: string): Promise<void> {
  await copyText(text);
  notify('success', said);
}

interface Options {
  /** What is searched for; it is marked in the actions. */
  search: string;
  filter: ColumnFilter;
  open: (id: string) => void;
}

/** The operation log's columns: one of each type that the table knows. */
export function useRecordColumns({ search, filter, open }: Options): Column<Record>[] {
  const { t } = useTranslation('demo');
  return useMemo(() => columnsOf(t, { search, filter, open }), [t, search, filter, open]);
}

function columnsOf(t: TFunction<'demo'>, { search, filter, open }: Options): Column<Record>[] {
  return [
    { key: 'seq', type: 'seq', title: t('records.seq'), width: 56, align: 'right' },
    {
      key: 'recordedAt',
      title: t('records.at'),
      width: MOMENT_WIDTH,
      essential: true,
      text: ({ recordedAt }) => time(recordedAt),
      render: ({ recordedAt }) => <Moment at={recordedAt} />,
    },
    {
      key: 'userName',
      type: 'text',
      title: t('records.user'),
      width: 90,
      text: ({ userName }) => userName,
    },
    {
      key: 'action',
      type: 'html',
      title: t('records.action'),
      minWidth: 190,
      html: ({ action }) => marked(action, search),
      text: ({ action }) => action,
    },
    {
      key: 'subject',
      type: 'text',
      title: t('records.subject'),
      minWidth: 140,
      text: ({ subject }) => subject,
    },
    {
      key: 'result',
      title: t('records.result'),
      width: 120,
      filter,
      text: ({ result }) => t(`records.${result}`),
      render: ({ result }) => <LookMark look={LOOKS[result]} label={t(`records.${result}`)} />,
    },
    {
      key: 'address',
      type: 'text',
      title: t('records.address'),
      width: 130,
      leaveOut: true,
      text: ({ address }) => address,
    },
    {
      key: 'path',
      type: 'text',
      title: t('records.path'),
      minWidth: 220,
      hidden: true,
      text: ({ path }) => path,
    },
    {
      key: 'actions',
      type: 'options',
      title: t('records.actions'),
      width: 150,
      fixed: 'right',
      essential: true,
      shown: 1,
      actions: ({ id, subject }) => [
        { key: 'open', label: t('records.open'), run: () => open(id) },
        { key: 'copyId', label: t('records.copyId'), run: () => copy(id, t('records.copied')) },
        {
          key: 'copySubject',
          label: t('records.copySubject'),
          ...(subject ? {} : { refused: t('records.noSubject') }),
          run: () => copy(subject ?? '', t('records.copied')),
        },
      ],
    },
  ];
}

import { Button } from 'antd';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { PublishedRecord } from '@/shared/api';
import { duration, time } from '@/shared/lib/figures';
import { AppendOnlyTag } from '@/shared/ui/append-only-tag';
import type { Column } from '@/shared/ui/data-table';
import { Count, Moment, Share, TimeUntil } from '@/shared/ui/figures';
import { StateTag, stateLabel } from '@/shared/ui/state-tag';

const figures = ['inserts', 'updates', 'deletes'] as const;

export function usePublishedColumns(onOpen: (row: PublishedRecord) => void): Column<PublishedRecord>[] {
  const { t } = useTranslation('publish');
  return useMemo(
    () => [
      {
        key: 'table',
        title: t('table.name'),
        minWidth: 200,
        essential: true,
        text: ({ schema, table }) => `${schema}.${table}`,
        render: (row) => (
          <>
            <Button type="link" className="table-reason" onClick={() => onOpen(row)}>
              {row.schema}.{row.table}
            </Button>
            {row.appendOnly && <AppendOnlyTag />}
          </>
        ),
      },
      {
        key: 'state',
        title: t('list.state'),
        width: 170,
        text: ({ state }) => stateLabel(state),
        render: ({ state, reason, stateSince }) => (
          <StateTag state={state} reason={reason} since={stateSince} />
        ),
      },
      {
        key: 'key',
        title: 'ApplyByKey',
        width: 140,
        leaveOut: true,
        text: ({ key }) => key.join(', '),
        render: ({ key, state, appendOnly }) =>
          key.join(', ') || (state === 'no-primary-key' || appendOnly ? '–' : t('table.ownKey')),
      },
      {
        key: 'rowsRead',
        title: t('table.full'),
        width: 160,
        align: 'right',
        text: ({ rowsRead }) => rowsRead,
        render: (row) => <Full row={row} />,
      },
      ...figures.map((name) => ({
        key: name,
        title: t(`table.${name}`),
        width: 90,
        align: 'right' as const,
        leaveOut: true,
        text: (row: PublishedRecord) => row[name],
        render: (row: PublishedRecord) => <Count value={row[name]} />,
      })),
      {
        key: 'delayMs',
        title: t('list.lag'),
        width: 90,
        align: 'right',
        leaveOut: true,
        text: ({ delayMs }) => delayMs,
        render: ({ delayMs, lastChangeAt }) => (
          <span title={lastChangeAt ? t('table.delayHint', { time: time(lastChangeAt) }) : undefined}>
            {duration(delayMs)}
          </span>
        ),
      },
      {
        key: 'lastChangeAt',
        title: t('table.lastChange'),
        width: 170,
        hidden: true,
        text: ({ lastChangeAt }) => lastChangeAt,
        render: ({ lastChangeAt }) => <Moment at={lastChangeAt} />,
      },
      {
        key: 'subscribers',
        title: t('list.subscribers'),
        width: 80,
        align: 'right',
        leaveOut: true,
        text: ({ subscribers }) => subscribers,
        render: ({ subscribers }) => <Count value={subscribers} />,
      },
      {
        key: 'fullTopic',
        title: t('topic.full'),
        width: 200,
        hidden: true,
        type: 'text',
        text: ({ fullTopic }) => fullTopic,
      },
      {
        key: 'realTopic',
        title: t('topic.real'),
        width: 200,
        hidden: true,
        type: 'text',
        text: ({ realTopic }) => realTopic,
      },
      {
        key: 'expiresAt',
        title: t('table.expires'),
        width: 130,
        leaveOut: true,
        text: ({ expiresAt }) => expiresAt,
        render: ({ expiresAt }) => <TimeUntil at={expiresAt} />,
      },
    ],
    [t, onOpen],
  );
}

/** How much of the table's rows is on its full topic. */
function Full({ row }: { row: PublishedRecord }) {
  const { t } = useTranslation('publish');
  if (row.generation === 0) return <span>{t('table.noFull')}</span>;
  if (row.state === 'publishing') return <Share done={row.rowsRead} total={row.rowsTotal ?? row.rowsRead} />;
  return <Count value={row.rowsRead} />;
}

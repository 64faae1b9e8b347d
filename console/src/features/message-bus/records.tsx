import { Checkbox } from 'antd';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { BusRecordLine, BusRecordPageRequest } from '@/shared/api';
import { messageBusPageRecordsList } from '@/shared/api/lists';
import { bytes, count } from '@/shared/lib/figures';
import { type Column, DataTable, MOMENT_WIDTH, useOwnTableState } from '@/shared/ui/data-table';
import { Moment } from '@/shared/ui/figures';
import { ListSearch } from '@/shared/ui/list-search';
import { MomentField } from '@/shared/ui/time-range';
import { type TopicPlace, useRecords } from './queries';
import { RecordRows } from './record-rows';

const keyOf = ({ offset }: BusRecordLine) => String(offset);

/** Records of a topic, the newest first. The list stays as it is while records arrive, until it is read again. */
export function Records({ place }: { place: TopicPlace }) {
  const { t } = useTranslation('message-bus');
  const state = useOwnTableState();
  const [table, setTable] = useState('');
  const [since, setSince] = useState('');
  const [changesOnly, setChangesOnly] = useState(false);
  const [until, setUntil] = useState<number>();
  const asked: BusRecordPageRequest = {
    ...state.request,
    ...place,
    table,
    changesOnly,
    ...(since && { since }),
    // The first page is of now; the others belong to it.
    ...(until !== undefined && state.request.current > 1 && { until }),
  };
  const query = useRecords(asked);
  const page = query.data;
  if (page && !query.isPlaceholderData && state.request.current === 1 && page.nextOffset !== until) {
    setUntil(page.nextOffset);
  }
  const isFiltered = Boolean(table || since || changesOnly);
  const narrow = (change: () => void) => {
    change();
    state.toFirstPage();
  };
  const expand = useMemo(() => {
    const rowsOf = (record: BusRecordLine) => <RecordRows place={place} record={record} />;
    return rowsOf;
  }, [place]);
  return (
    <>
      <DataTable
        label={t('records')}
        name="message-bus-records"
        columns={useColumns()}
        list={messageBusPageRecordsList}
        query={query}
        state={state}
        rowKey={keyOf}
        expand={expand}
        empty={isFiltered ? { title: t('noMatch') } : { title: t('noRecords') }}
        toolbar={
          <>
            <ListSearch
              label={t('tableName')}
              value={table}
              onSearch={(text) => narrow(() => setTable(text))}
            />
            <MomentField label={t('since')} value={since} onChange={(at) => narrow(() => setSince(at))} />
            <Checkbox
              checked={changesOnly}
              onChange={({ target }) => narrow(() => setChangesOnly(target.checked))}
            >
              {t('changesOnly')}
            </Checkbox>
          </>
        }
      />
      {page && page.searchedFrom > page.firstOffset && (table || changesOnly) && !since && (
        <p className="bus-note">{t('searchedFrom', { offset: count(page.searchedFrom) })}</p>
      )}
    </>
  );
}

type Words = ReturnType<typeof useTranslation<'message-bus'>>['t'];

/** Of each table its name and its operations, in one line. */
function contentOf(record: BusRecordLine, t: Words): string {
  return record.tables
    .map((table) => {
      const counts = (['inserts', 'updates', 'deletes', 'truncates', 'loaded'] as const)
        .filter((key) => table[key] > 0)
        .map((key) => t(`counts.${key}`, { count: table[key] }));
      return counts.length > 0 ? `${table.name}: ${counts.join(', ')}` : table.name;
    })
    .join('; ');
}

function useColumns(): Column<BusRecordLine>[] {
  const { t } = useTranslation('message-bus');
  return useMemo(
    () => [
      {
        key: 'offset',
        title: t('offset'),
        width: 110,
        align: 'right',
        essential: true,
        text: ({ offset }) => offset,
        render: ({ offset }) => count(offset),
      },
      {
        key: 'time',
        title: t('appended'),
        width: MOMENT_WIDTH,
        text: ({ time }) => time,
        render: ({ time }) => <Moment at={time} />,
      },
      {
        key: 'kind',
        title: t('kind'),
        width: 130,
        text: ({ kind }) => t(`recordKinds.${kind}`),
        render: (record) => t(`recordKinds.${record.kind}`),
      },
      {
        key: 'tables',
        type: 'text',
        title: t('content'),
        minWidth: 220,
        length: 200,
        text: (record) => contentOf(record, t),
      },
      {
        key: 'position',
        type: 'text',
        title: t('position'),
        width: 160,
        leaveOut: true,
        text: ({ position }) => position,
      },
      {
        key: 'sizeBytes',
        title: t('size'),
        width: 90,
        align: 'right',
        text: ({ sizeBytes }) => sizeBytes,
        render: ({ sizeBytes }) => bytes(sizeBytes),
      },
    ],
    [t],
  );
}

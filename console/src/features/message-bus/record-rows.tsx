import { Alert, Pagination } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { BusRecordLine, CellRecord, RecordRowRecord } from '@/shared/api';
import { count } from '@/shared/lib/figures';
import { ErrorState } from '@/shared/ui/error-state';
import { Moment } from '@/shared/ui/figures';
import { ListChoice } from '@/shared/ui/list-choice';
import { LoadingState } from '@/shared/ui/loading-state';
import { type TopicPlace, useRecordRows } from './queries';

const SIZE = 20;

interface Props {
  place: TopicPlace;
  record: BusRecordLine;
}

/** What is in a record: the rows of one of its tables. */
export function RecordRows({ place, record }: Props) {
  const { t } = useTranslation('message-bus');
  if (record.tables.length === 0) return <p className="bus-note">{t(`explained.${record.kind}`)}</p>;
  if (record.kind !== 'changes' && record.kind !== 'rows') {
    const names = record.tables.map(({ name }) => name).join(', ');
    return (
      <p className="bus-note">
        {t(`explained.${record.kind}`)} {names}
      </p>
    );
  }
  return <Rows place={place} record={record} />;
}

function Rows({ place, record }: Props) {
  const { t } = useTranslation('message-bus');
  const [table, setTable] = useState(0);
  const [current, setCurrent] = useState(1);
  const query = useRecordRows({ ...place, offset: record.offset, table, current, size: SIZE });
  const detail = query.data;
  return (
    <div className="bus-rows">
      {record.tables.length > 1 && (
        <ListChoice
          label={t('table')}
          value={String(table)}
          onChange={(index) => {
            setTable(Number(index));
            setCurrent(1);
          }}
          options={record.tables.map(({ name }, index) => ({ value: String(index), label: name }))}
        />
      )}
      {!record.complete && <p className="bus-note">{t('incomplete')}</p>}
      {detail ? (
        <>
          {!detail.valuesShown && <Alert type="info" showIcon title={t('valuesHidden')} />}
          <div className="bus-rows-scroll">
            <table className="plain-table" aria-label={t('rowsOf', { offset: count(record.offset) })}>
              <thead>
                <tr>
                  <th scope="col">{t('operation')}</th>
                  <th scope="col">{t('committed')}</th>
                  {detail.columns.map(({ name, type, key }) => (
                    <th key={name} scope="col" title={type}>
                      {key ? `${name} *` : name}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {detail.rows.map((row, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: rows of a record never change
                  <Row key={index} row={row} width={detail.columns.length} />
                ))}
              </tbody>
            </table>
          </div>
          {detail.total > SIZE && (
            <Pagination
              size="small"
              current={current}
              pageSize={SIZE}
              total={detail.total}
              showSizeChanger={false}
              onChange={setCurrent}
            />
          )}
        </>
      ) : query.error ? (
        <ErrorState error={query.error} onRetry={query.refetch} />
      ) : (
        <LoadingState rows={3} />
      )}
    </div>
  );
}

function Row({ row, width }: { row: RecordRowRecord; width: number }) {
  const { t } = useTranslation('message-bus');
  const before = row.keyBefore.map((cell) => textOf(cell, t)).join(', ');
  return (
    <tr>
      <td title={before ? t('keyBefore', { key: before }) : undefined}>{t(`operations.${row.operation}`)}</td>
      <td>
        <Moment at={row.committedAt} />
      </td>
      {row.operation === 'truncate' ? (
        <td colSpan={width}>{t('allRows')}</td>
      ) : (
        row.cells.map((cell, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: columns of a record never change
          <td key={index}>
            <Value cell={cell} />
          </td>
        ))
      )}
    </tr>
  );
}

type Words = ReturnType<typeof useTranslation<'message-bus'>>['t'];

function textOf({ state, text, cut }: CellRecord, t: Words): string {
  return state === 'value' ? `${text ?? ''}${cut ? '…' : ''}` : t(`cells.${state}`);
}

function Value({ cell }: { cell: CellRecord }) {
  const { t } = useTranslation('message-bus');
  const shown = textOf(cell, t);
  return cell.state === 'value' ? (
    <span className="bus-value">{shown}</span>
  ) : (
    <em className="bus-marker">{shown}</em>
  );
}

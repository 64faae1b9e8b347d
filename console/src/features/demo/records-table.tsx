import { Drawer } from 'antd';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OperationRecord } from '@/shared/api';
import { operationLogPageList } from '@/shared/api/lists';
import { usePageActive } from '@/shared/pages/page-context';
import { DataTable, type TableState, useChosenRows, useListFilter } from '@/shared/ui/data-table';
import { SearchForm } from '@/shared/ui/search-form';
import { allRecords, useRecords } from './queries';
import { useRecordColumns } from './record-columns';
import { detailsOf, RecordDetails } from './record-details';
import './demo.css';

const filterDefaults = { search: '', result: '' };
const keyOf = ({ id }: OperationRecord) => id;

interface Props {
  /** Under it the viewer's columns are remembered. */
  name: string;
  title: string;
  state: TableState;
  /** One row at most can be chosen. */
  single?: boolean;
}

/** The operation log of this installation in the console's table. */
export function RecordsTable({ name, title, state, single = false }: Props) {
  const { t } = useTranslation('demo');
  const isActive = usePageActive();
  const [filter, setFilter] = useListFilter(name, filterDefaults);
  const [opened, setOpened] = useState<string>();
  const query = useRecords(state.request, filter);
  const { keys, choose } = useChosenRows(query.data?.records, keyOf, '');
  const results = useMemo(
    () => [
      { value: '', label: t('records.anyResult') },
      { value: 'done', label: t('records.done') },
      { value: 'failed', label: t('records.failed') },
      { value: 'begun', label: t('records.begun') },
    ],
    [t],
  );
  const inHead = useMemo(
    () => ({
      options: results,
      value: filter.result,
      onChange: (result: string) => setFilter({ result }),
    }),
    [results, filter.result, setFilter],
  );
  const columns = useRecordColumns({ search: filter.search, filter: inHead, open: setOpened });
  return (
    <>
      <h1 className="visually-hidden">{title}</h1>
      <SearchForm
        fields={[
          { name: 'search', label: t('records.search') },
          { name: 'result', label: t('records.result'), options: results },
        ]}
        values={{ search: filter.search, result: filter.result }}
        onSearch={({ search = '', result = '' }) => setFilter({ search, result })}
      />
      <DataTable
        label={title}
        name={name}
        columns={columns}
        list={operationLogPageList}
        query={query}
        state={state}
        rowKey={keyOf}
        selection={{ keys, onChange: choose, single }}
        expand={detailsOf}
        loadAll={() => allRecords(state.request, filter)}
      />
      <Drawer
        title={t('records.open')}
        open={opened !== undefined && isActive}
        onClose={() => setOpened(undefined)}
        size="40%"
        destroyOnHidden
      >
        {opened && <RecordDetails id={opened} />}
      </Drawer>
    </>
  );
}

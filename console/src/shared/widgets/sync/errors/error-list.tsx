import { Tag } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RowErrorRecord } from '@/shared/api';
import { rowErrorPageList } from '@/shared/api/lists';
import { useMay } from '@/shared/hooks/use-may';
import { useUrlState } from '@/shared/hooks/use-url-state';
import { DataTable, useChosenRows, useTableState } from '@/shared/ui/data-table';
import { ListChoice } from '@/shared/ui/list-choice';
import { ListSearch } from '@/shared/ui/list-search';
import { LiveMark } from '@/shared/ui/live-mark';
import { RefusableButton } from '@/shared/ui/refusable-button';
import { stateLabel } from '@/shared/ui/state-tag';
import { Causes } from './causes';
import { useErrorColumns } from './error-columns';
import { allRowErrors, ERROR_PREFIX, isOpen, OPEN, useRowErrors } from './queries';
import type { ErrorSource } from './source';
import { useDecisions } from './use-decisions';
import './errors.css';

// What is opened by few comes when it is opened.
const ErrorDrawer = lazy(() => import('./error-drawer'));

/** A narrower list begins at its first page, in the same change of the address. */
const filterDefaults = { search: '', status: OPEN, operation: '', cause: '', table: '', current: 1 };
type Filter = typeof filterDefaults;

const statuses = ['not-processed', 'processing', 'auto-recovery', 'processed', 'success'] as const;
const operations = ['insert', 'update', 'delete', 'load', 'ddl'] as const;
const keyOf = ({ id }: RowErrorRecord) => id;

/** Row errors grouped by cause, to view, retry, edit and retry, or skip. */
export default function ErrorList({ source }: { source: ErrorSource }) {
  const { t } = useTranslation('row-error');
  const may = useMay(source.area);
  const state = useTableState(ERROR_PREFIX);
  const [filter, setFilter] = useUrlState(filterDefaults, ERROR_PREFIX);
  const query = useRowErrors(source, state.request, filter);
  const { rows: chosen, keys, choose, clear } = useChosenRows(query.data?.records, keyOf, ERROR_PREFIX);
  const [shown, setShown] = useState<RowErrorRecord>();
  const decide = useDecisions(source);
  const mayDecide = may('operate');
  const columns = useErrorColumns({ decide, show: setShown, mayDecide });
  const narrow = (part: Partial<Filter>) => setFilter({ ...part, current: 1 });
  const load = () => allRowErrors(source, state.request, filter);
  const isNarrowed = filter.search !== '' || filter.operation !== '' || filter.cause !== '';

  return (
    <>
      <Causes source={source} filter={filter} onChoose={(cause) => narrow({ cause })} />
      <DataTable
        label={t('title')}
        name="row-errors"
        columns={columns}
        list={rowErrorPageList}
        query={query}
        state={state}
        rowKey={keyOf}
        selection={mayDecide ? { keys, onChange: choose, canSelect: isOpen } : undefined}
        loadAll={load}
        empty={isNarrowed ? { title: t('emptyFiltered') } : { title: t('empty'), hint: t('emptyHint') }}
        toolbar={
          <>
            {mayDecide &&
              (['retry', 'skip'] as const).map((decision) => (
                <RefusableButton
                  key={decision}
                  refused={keys.size === 0 ? t('selectFirst') : undefined}
                  onClick={() => decide(decision, chosen, clear)}
                >
                  {t(`verb.${decision}`)}
                </RefusableButton>
              ))}
            <Filters filter={filter} narrow={narrow} />
            {filter.table && (
              <Tag closable onClose={() => narrow({ table: '' })}>
                {query.data?.records[0]
                  ? t('onlyTable', { name: query.data.records[0].target })
                  : t('oneTable')}
              </Tag>
            )}
          </>
        }
        extra={<LiveMark query={query} />}
      />
      <Suspense>
        {shown && (
          <ErrorDrawer
            source={source}
            error={shown.id}
            mayDecide={mayDecide}
            onDecide={decide}
            onClose={() => setShown(undefined)}
          />
        )}
      </Suspense>
    </>
  );
}

interface FiltersProps {
  filter: Filter;
  narrow: (part: Partial<Filter>) => void;
}

function Filters({ filter, narrow }: FiltersProps) {
  const { t } = useTranslation('row-error');
  return (
    <>
      <ListSearch label={t('search')} value={filter.search} onSearch={(search) => narrow({ search })} />
      <ListChoice
        label={t('statusFilter')}
        value={filter.status}
        onChange={(status) => narrow({ status })}
        options={[
          { value: OPEN, label: t('open') },
          { value: '', label: t('anyStatus') },
          ...statuses.map((value) => ({ value, label: stateLabel(value) })),
        ]}
      />
      <ListChoice
        label={t('operationFilter')}
        value={filter.operation}
        onChange={(operation) => narrow({ operation })}
        options={[
          { value: '', label: t('anyOperation') },
          ...operations.map((value) => ({ value, label: t(`operations.${value}`) })),
        ]}
      />
    </>
  );
}

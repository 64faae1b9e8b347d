import { lazy, Suspense, useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { OperationRecord } from '@/shared/api';
import { operationLogPageList } from '@/shared/api/lists';
import { useUrlState } from '@/shared/hooks/use-url-state';
import { usePageActive } from '@/shared/pages/page-context';
import { type Column, DataTable, useListFilter, useTableState } from '@/shared/ui/data-table';
import { ListChoice } from '@/shared/ui/list-choice';
import { ListSearch } from '@/shared/ui/list-search';
import { TimeRange } from '@/shared/ui/time-range';
import { ChainProof } from './chain-proof';
import { useRecordColumns } from './columns';
import { allOperations, type OperationFilter, useActionKinds, useOperations } from './queries';
import { ResultChoice } from './result-choice';
import './audit-log.css';

const OperationDrawer = lazy(() => import('./operation-drawer'));

const NAME = 'operation-log';
const defaults = { search: '', user: '', kind: '', action: '', result: '', since: '', until: '' };
const opened = { record: '' };
const keyOf = ({ id }: OperationRecord) => id;

/** What was done on this platform: who, what, to what, from where, with what result. */
export default function OperationLogPage() {
  const { t } = useTranslation('audit-log');
  const isActive = usePageActive();
  const state = useTableState();
  const [filter, narrow] = useListFilter(NAME, defaults);
  const [{ record }, open] = useUrlState(opened);
  const show = useCallback((id: string) => open({ record: id }), [open]);
  const query = useOperations(state.request, filter);
  const isNarrowed = Object.values(filter).some((value) => value !== '');
  return (
    <>
      <h1 className="visually-hidden">{t('operation.title')}</h1>
      <ChainProof />
      <DataTable
        label={t('operation.title')}
        name={NAME}
        columns={useColumns(show)}
        list={operationLogPageList}
        query={query}
        state={state}
        rowKey={keyOf}
        loadAll={() => allOperations(state.request, filter)}
        empty={
          isNarrowed
            ? { title: t('emptyFiltered') }
            : { title: t('operation.empty'), hint: t('operation.emptyHint') }
        }
        toolbar={<Filters filter={filter} narrow={narrow} />}
      />
      {record && isActive && (
        <Suspense>
          <OperationDrawer id={record} onClose={() => open({ record: '' })} />
        </Suspense>
      )}
    </>
  );
}

interface FiltersProps {
  filter: OperationFilter;
  narrow: (change: Partial<OperationFilter>) => void;
}

function Filters({ filter, narrow }: FiltersProps) {
  const { t, i18n } = useTranslation('audit-log');
  const kinds = useActionKinds(i18n.language).data ?? [];
  const actions = kinds.find(({ kind }) => kind === filter.kind)?.actions ?? [];
  return (
    <>
      <ListSearch
        label={t('operation.search')}
        value={filter.search}
        onSearch={(search) => narrow({ search })}
      />
      <ListSearch label={t('userName')} value={filter.user} onSearch={(user) => narrow({ user })} />
      <ListChoice
        label={t('kind')}
        value={filter.kind}
        // An action belongs to one kind.
        onChange={(kind) => narrow({ kind, action: '' })}
        options={[
          { value: '', label: t('anyKind') },
          ...kinds.map(({ kind, title }) => ({ value: kind, label: title })),
        ]}
      />
      {filter.kind && (
        <ListChoice
          label={t('action')}
          value={filter.action}
          onChange={(action) => narrow({ action })}
          options={[
            { value: '', label: t('anyAction') },
            ...actions.map(({ action, title }) => ({ value: action, label: title })),
          ]}
        />
      )}
      <ResultChoice value={filter.result} onChange={(result) => narrow({ result })} />
      <TimeRange
        labels={{ since: t('from'), until: t('until') }}
        since={filter.since}
        until={filter.until}
        onChange={narrow}
      />
    </>
  );
}

function useColumns(open: (id: string) => void): Column<OperationRecord>[] {
  const { t } = useTranslation('audit-log');
  const shared = useRecordColumns<OperationRecord>();
  return useMemo(
    () => [
      shared.recordedAt,
      { key: 'userName', type: 'text', title: t('user'), width: 130, text: ({ userName }) => userName },
      {
        key: 'action',
        type: 'text',
        title: t('action'),
        minWidth: 170,
        essential: true,
        length: 40,
        text: ({ title }) => title,
      },
      {
        key: 'subject',
        type: 'text',
        title: t('subject'),
        minWidth: 150,
        length: 60,
        text: ({ subject }) => subject,
      },
      shared.result,
      shared.address,
      { key: 'path', type: 'text', title: t('path'), minWidth: 260, hidden: true, text: ({ path }) => path },
      {
        key: 'actions',
        type: 'options',
        title: t('actions'),
        width: 90,
        fixed: 'right',
        essential: true,
        shown: 1,
        actions: ({ id }) => [{ key: 'open', label: t('details'), run: () => open(id) }],
      },
    ],
    [t, open, shared],
  );
}

import { lazy, Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ParameterRecord } from '@/shared/api';
import { parameterPageList } from '@/shared/api/lists';
import { useMay } from '@/shared/hooks/use-may';
import { useUrlState } from '@/shared/hooks/use-url-state';
import { type Column, DataTable, MOMENT_WIDTH, useTableState } from '@/shared/ui/data-table';
import { Moment } from '@/shared/ui/figures';
import { ListSearch } from '@/shared/ui/list-search';
import { allParameters, useParameters } from './queries';

const ParameterDrawer = lazy(() => import('./parameter-drawer'));

const PARAMETERS = 'system/bus-sys-parameter';

const keyOf = (parameter: ParameterRecord) => parameter.variableName;

const filterDefaults = { search: '', current: 1 };

/** The named values that steer the platform. */
export function ParametersTab() {
  const { t } = useTranslation('parameter');
  const state = useTableState();
  const [{ search }, setFilter] = useUrlState(filterDefaults);
  const [edited, setEdited] = useState<ParameterRecord>();
  const query = useParameters(state.request, search);
  const columns = useColumns(setEdited);
  return (
    <>
      <DataTable
        label={t('title')}
        name="parameters"
        columns={columns}
        list={parameterPageList}
        query={query}
        state={state}
        rowKey={keyOf}
        loadAll={() => allParameters(state.request, search)}
        empty={{ title: t('emptyFiltered') }}
        toolbar={
          <ListSearch
            label={t('search')}
            value={search}
            onSearch={(wanted) => setFilter({ search: wanted, current: 1 })}
          />
        }
      />
      <Suspense fallback={null}>
        {edited && <ParameterDrawer parameter={edited} onClose={() => setEdited(undefined)} />}
      </Suspense>
    </>
  );
}

function useColumns(setEdited: (parameter: ParameterRecord) => void): Column<ParameterRecord>[] {
  const { t } = useTranslation('parameter');
  const mayEdit = useMay(PARAMETERS)('edit');
  return useMemo(
    () => [
      {
        key: 'variableName',
        type: 'text',
        title: t('name'),
        minWidth: 160,
        essential: true,
        text: ({ variableName }) => variableName,
      },
      {
        key: 'module',
        type: 'text',
        title: t('module'),
        width: 100,
        text: ({ module }) => module,
      },
      {
        key: 'description',
        type: 'text',
        title: t('description'),
        minWidth: 280,
        length: 60,
        text: ({ description }) => description,
      },
      {
        key: 'value',
        type: 'text',
        title: t('value'),
        minWidth: 240,
        length: 60,
        text: ({ value }) => JSON.stringify(value),
      },
      {
        key: 'updatedAt',
        title: t('updatedAt'),
        width: MOMENT_WIDTH,
        leaveOut: true,
        text: ({ updatedAt }) => updatedAt,
        render: ({ updatedAt }) => <Moment at={updatedAt} />,
      },
      {
        key: 'actions',
        type: 'options',
        title: t('actions'),
        width: 90,
        fixed: 'right',
        essential: true,
        actions: (parameter) =>
          mayEdit ? [{ key: 'edit', label: t('edit'), run: () => setEdited(parameter) }] : [],
      },
    ],
    [t, mayEdit, setEdited],
  );
}

import { lazy, Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call, type ParameterRecord, parameterListAll } from '@/shared/api';
import { useRead } from '@/shared/hooks/use-live';
import { useMay } from '@/shared/hooks/use-may';
import { type Column, DataTable, MOMENT_WIDTH, useTableState } from '@/shared/ui/data-table';
import { Moment } from '@/shared/ui/figures';

const ParameterDrawer = lazy(() => import('./parameter-drawer'));

const PARAMETERS = 'system/bus-sys-parameter';

const keyOf = (parameter: ParameterRecord) => parameter.variableName;

/** The few named values that steer the platform; they come all at once. */
export function ParametersTab() {
  const { t } = useTranslation('parameter');
  const state = useTableState();
  const [edited, setEdited] = useState<ParameterRecord>();
  const query = useRead({
    queryKey: ['parameter', 'list'],
    queryFn: ({ signal }) => call(parameterListAll({ signal })),
  });
  const columns = useColumns(setEdited);
  const records = query.data;
  const { current, size } = state.request;
  return (
    <>
      <DataTable
        label={t('title')}
        name="parameters"
        columns={columns}
        query={{
          ...query,
          data: records && {
            records: records.slice((current - 1) * size, current * size),
            total: records.length,
          },
        }}
        state={state}
        rowKey={keyOf}
        loadAll={async () => records ?? []}
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

import { lazy, Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  audited,
  call,
  type DataServiceRecord,
  dataServiceDeleteService,
  dataServiceOperateService,
} from '@/shared/api';
import { useMay } from '@/shared/hooks/use-may';
import { notify } from '@/shared/lib/notices';
import { reportFailure } from '@/shared/lib/report-failure';
import { type Column, DataTable, type RowAction, useTableState } from '@/shared/ui/data-table';
import { Count } from '@/shared/ui/figures';
import { LiveMark } from '@/shared/ui/live-mark';
import { StateTag, stateLabel } from '@/shared/ui/state-tag';
import { AddButton } from './add-button';
import { GROUPS, useRefresh, useServices } from './queries';
import { useDeletion } from './use-deletion';

const ServiceDrawer = lazy(() => import('./service-drawer'));

const keyOf = ({ id }: DataServiceRecord) => id;
const verbs = ['start', 'stop', 'restart'] as const;

/** Where callers find APIs, and the services that answer them; there are few. */
export function ServicesTab() {
  const { t } = useTranslation('data-service');
  const state = useTableState('service-');
  const services = useServices();
  const [open, setOpen] = useState<{ edit?: DataServiceRecord }>();
  const records = services.data;
  const query = { ...services, data: records && { records, total: records.length } };
  const add = <AddButton menu={GROUPS} label={t('service.add')} onClick={() => setOpen({})} />;
  return (
    <>
      <DataTable
        label={t('service.title')}
        name="data-services"
        columns={useColumns(setOpen)}
        query={query}
        state={state}
        rowKey={keyOf}
        empty={{ title: t('service.empty'), hint: t('service.emptyHint'), action: add }}
        toolbar={add}
        extra={<LiveMark query={services} />}
      />
      <Suspense>{open && <ServiceDrawer edit={open.edit} onClose={() => setOpen(undefined)} />}</Suspense>
    </>
  );
}

function useColumns(setOpen: (open: { edit: DataServiceRecord }) => void): Column<DataServiceRecord>[] {
  const { t } = useTranslation('data-service');
  const actions = useActions(setOpen);
  return useMemo(
    () => [
      {
        key: 'name',
        type: 'text',
        title: t('name'),
        minWidth: 140,
        essential: true,
        text: (row) => row.name,
      },
      {
        key: 'state',
        title: t('state'),
        width: 150,
        text: (row) => stateLabel(row.state),
        render: (row) => <StateTag state={row.state} reason={row.reason} heldUp={row.heldUp} />,
      },
      {
        key: 'address',
        of: ['host', 'port'],
        type: 'text',
        title: t('service.address'),
        minWidth: 180,
        text: (row) => `${row.host}:${row.port}`,
      },
      {
        key: 'container',
        of: ['inContainer', 'containerName', 'agentHost'],
        type: 'text',
        title: t('service.container'),
        minWidth: 160,
        text: (row) =>
          row.inContainer
            ? [row.containerName, row.agentHost].filter(Boolean).join(' / ')
            : t('service.outside'),
      },
      {
        key: 'groups',
        title: t('group.title'),
        width: 110,
        align: 'right',
        text: (row) => row.groups,
        render: (row) => <Count value={row.groups} />,
      },
      {
        key: 'callsDropped',
        title: t('service.dropped'),
        width: 150,
        align: 'right',
        leaveOut: true,
        text: (row) => row.callsDropped,
        render: (row) => <Count value={row.callsDropped} />,
      },
      {
        key: 'actions',
        type: 'options',
        title: t('actions'),
        width: 170,
        fixed: 'right',
        essential: true,
        shown: 2,
        actions,
      },
    ],
    [t, actions],
  );
}

function useActions(
  setOpen: (open: { edit: DataServiceRecord }) => void,
): (row: DataServiceRecord) => RowAction[] {
  const { t } = useTranslation('data-service');
  const may = useMay(GROUPS);
  const refresh = useRefresh();
  const ask = useDeletion('service');
  const operate = async (row: DataServiceRecord, action: (typeof verbs)[number]) => {
    await call(dataServiceOperateService({ body: { id: row.id, action } })).catch(reportFailure('status'));
    notify('success', t(`service.asked.${action}`, { name: row.name }));
    await refresh();
  };
  return (row) => [
    ...(may('edit') ? [{ key: 'edit', label: t('edit'), run: () => setOpen({ edit: row }) }] : []),
    ...verbs
      .filter((verb) => may('operate') && row.actions.includes(verb))
      .map((verb) => ({
        key: verb,
        label: t(`service.verb.${verb}`),
        run: () => void operate(row, verb).catch(() => undefined),
      })),
    ...(may('delete')
      ? [
          {
            key: 'delete',
            label: t('delete'),
            danger: true,
            run: () =>
              ask(row, (proof) =>
                call(dataServiceDeleteService({ body: { id: row.id, ...proof }, ...audited(row) })),
              ),
          },
        ]
      : []),
  ];
}

import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import {
  audited,
  call,
  type StreamQueryRecord,
  streamDeleteComputation,
  streamResetComputation,
  streamStartComputation,
  streamStopComputation,
} from '@/shared/api';
import { useMay } from '@/shared/hooks/use-may';
import { notify } from '@/shared/lib/notices';
import { reportFailure } from '@/shared/lib/report-failure';
import { useConfirmDanger } from '@/shared/ui/confirm-danger';
import type { RowAction } from '@/shared/ui/data-table';
import { confirmDelete } from '@/shared/widgets/delete-confirm';
import { MENU, useRefresh } from './queries';

type Row = StreamQueryRecord;
const calls = { start: streamStartComputation, stop: streamStopComputation, reset: streamResetComputation };
const needs = {
  start: 'operate',
  stop: 'operate',
  reset: 'operate',
  edit: 'edit',
  delete: 'delete',
} as const;

/** What the server allows of a stream query and the viewer may do. */
export function useActions(open: (opened: { edited: Row }) => void): (row: Row) => readonly RowAction[] {
  const { t } = useTranslation('stream');
  const may = useMay(MENU);
  const confirm = useConfirmDanger();
  const refresh = useRefresh();
  const steer = async (verb: keyof typeof calls, { id, name }: Row) => {
    await call(calls[verb]({ body: { id } })).catch(reportFailure('status'));
    notify('success', t(`done.${verb}`, { name }));
    await refresh();
  };
  const ask = (row: Row) =>
    confirm({
      title: t('resetTitle', { name: row.name }),
      content: t('resetHint', { table: `${row.targetSchema}.${row.targetTable}` }),
      action: t('reset'),
      run: () => steer('reset', row),
    });
  const remove = (row: Row) =>
    confirmDelete({
      title: t('deleteTitle', { name: row.name }),
      content: t('deleteHint', { table: `${row.targetSchema}.${row.targetTable}` }),
      dependants: null,
      action: t('delete'),
      mode: 'post',
      run: async (proof) => {
        await call(streamDeleteComputation({ body: { id: row.id, ...proof }, ...audited(row) })).catch(
          reportFailure('delete'),
        );
        notify('success', t('done.delete', { name: row.name }));
        await refresh();
      },
    });
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is called is the same at every render
  return useCallback(
    (row: Row) => {
      const runs = {
        start: () => void steer('start', row).catch(() => undefined),
        stop: () => void steer('stop', row).catch(() => undefined),
        edit: () => open({ edited: row }),
        reset: () => ask(row),
        delete: () => remove(row),
      };
      return (['start', 'stop', 'edit', 'reset', 'delete'] as const)
        .filter((verb) => (row.actions.includes(verb) || verb === 'delete') && may(needs[verb]))
        .map((verb) => ({
          key: verb,
          label: t(verb),
          danger: verb === 'reset' || verb === 'delete',
          refused: row.actions.includes(verb) ? undefined : t('running'),
          run: runs[verb],
        }));
    },
    [t, open, may('operate'), may('edit'), may('delete')],
  );
}

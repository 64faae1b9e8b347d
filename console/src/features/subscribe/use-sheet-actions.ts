import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { call, type SheetRecord } from '@/shared/api';
import { notify } from '@/shared/lib/notices';
import { useConfirmDanger } from '@/shared/ui/confirm-danger';
import type { Limits } from '@/shared/widgets/sync/errors/limits-drawer';
import type { TableResult } from '@/shared/widgets/sync/results-dialog';
import { asks, doublesOf, namesOf } from '@/shared/widgets/sync/use-table-actions';
import { calls, type SheetVerb, useRefresh, useSheetAction } from './queries';

/** Orders that lose a position or change the target's data ask first; the outcome of each table is shown unless all went
 * well. */
export function useSheetActions(onResults: (results: readonly TableResult[]) => void) {
  const { t } = useTranslation(['subscribe', 'sync']);
  const { t: sync } = useTranslation(['sync', 'common']);
  const confirm = useConfirmDanger();
  const { mutateAsync } = useSheetAction();
  return useCallback(
    (verb: SheetVerb, rows: readonly SheetRecord[], onDone?: () => void) => {
      const run = async () => {
        const results = await mutateAsync({ verb, tables: rows.map(({ id }) => id) });
        const done = results.filter((result) => result.done).length;
        if (done < results.length) onResults(results);
        else if (verb === 'recover' || verb === 'unbind')
          notify('success', t(`sheet.done.${verb}`, { count: done }));
        else notify('success', t(`sync:table.done.${verb}`, { count: done }));
        onDone?.();
      };
      const names = namesOf(rows);
      if (verb === 'unbind')
        confirm({
          title: t('sheet.unbindTitle', { count: rows.length }),
          content: t('sheet.unbindHint', { names }),
          action: t('sheet.action.unbind'),
          run,
        });
      else if (verb !== 'recover' && asks(verb))
        confirm({
          title: t(`sync:table.askTitle.${verb}`, { count: rows.length }),
          content: `${t(`sync:table.ask.${verb}`, { names })} ${doublesOf(sync, verb, rows)}`,
          action: t(`sync:table.action.${verb}`),
          run,
        });
      // A refusal is answered by the notice that every failed change gets.
      else run().catch(() => undefined);
    },
    [t, sync, confirm, mutateAsync, onResults],
  );
}

/** Sets how many refused changes tables may have open, and how many they skip. Answers what became of each. */
export function useSetSheetLimits() {
  const refresh = useRefresh();
  return async (tables: readonly { id: string }[], limits: Limits) => {
    const results = await call(calls.limit({ body: { tables: tables.map(({ id }) => id), ...limits } }));
    await refresh();
    return results;
  };
}

import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { TaskTableRecord } from '@/shared/api';
import { notify } from '@/shared/lib/notices';
import { useConfirmDanger } from '@/shared/ui/confirm-danger';
import { type TableVerb, useTableAction } from './queries';

const NAMED = 10;

function namesOf(rows: readonly TaskTableRecord[]): string {
  const names = rows.slice(0, NAMED).map(({ source }) => source);
  return rows.length > NAMED ? `${names.join(', ')} …` : names.join(', ');
}

/** Reloading asks first: it treats the target's data as the link's cleaning says. */
export function useTableActions(linkId: string) {
  const { t } = useTranslation('sync');
  const confirm = useConfirmDanger();
  const { mutateAsync } = useTableAction(linkId);
  return useCallback(
    (verb: TableVerb, rows: readonly TaskTableRecord[], onDone?: () => void) => {
      const run = async () => {
        await mutateAsync({ verb, tables: rows.map(({ source }) => source) });
        notify('success', t(`table.done.${verb}`, { count: rows.length }));
        onDone?.();
      };
      if (verb === 'reload') {
        confirm({
          title: t('table.reloadTitle', { count: rows.length }),
          content: t('table.reload', { names: namesOf(rows) }),
          action: t('table.action.reload'),
          run,
        });
        return;
      }
      // A refusal is answered by the notice that every failed change gets.
      run().catch(() => undefined);
    },
    [t, confirm, mutateAsync],
  );
}

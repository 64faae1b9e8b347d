import type { TFunction } from 'i18next';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { TaskTableRecord } from '@/shared/api';
import { notify } from '@/shared/lib/notices';
import { useConfirmDanger } from '@/shared/ui/confirm-danger';
import { type PlainTableVerb, useAcceptAllGaps, useTableAction } from './queries';
import type { TableResult } from './results-dialog';

const NAMED = 10;

/** The first tables by name; one that a subscriber has with it, because others have the same. */
export function namesOf(
  rows: readonly (Pick<TaskTableRecord, 'source'> & { customerName?: string })[],
): string {
  const names = rows
    .slice(0, NAMED)
    .map(({ source, customerName }) => (customerName ? `${source} (${customerName})` : source));
  return rows.length > NAMED ? `${names.join(', ')} …` : names.join(', ');
}

const asking = ['reload', 'reset', 'reset-start', 'accept-gap'] as const;

export function asks(verb: string): verb is (typeof asking)[number] {
  return asking.some((one) => one === verb);
}

/** What a load again does to append-only tables whose target table is not cleaned; empty: it is about none. */
export function doublesOf(
  t: TFunction<['sync', 'common']>,
  verb: string,
  rows: readonly Pick<TaskTableRecord, 'source' | 'doubles'>[],
): string {
  const concerned = verb === 'accept-gap' ? [] : rows.filter(({ doubles }) => doubles);
  return concerned.length > 0 ? `${t('common:appendOnly.doubles')} (${namesOf(concerned)})` : '';
}

type OnResults = (results: readonly TableResult[]) => void;

/** Orders that lose a position or change the target's data ask first; the outcome of each table is shown unless all went
 * well. */
export function useTableActions(linkId: string, onResults: OnResults) {
  const { t } = useTranslation(['sync', 'common']);
  const confirm = useConfirmDanger();
  const { mutateAsync } = useTableAction(linkId);
  return useCallback(
    (verb: PlainTableVerb, rows: readonly TaskTableRecord[], onDone?: () => void) => {
      const run = async () => {
        const results = await mutateAsync({ verb, tables: rows });
        if (results.every(({ done }) => done))
          notify('success', t(`table.done.${verb}`, { count: results.length }));
        else onResults(results);
        onDone?.();
      };
      if (asks(verb)) {
        confirm({
          title: t(`table.askTitle.${verb}`, { count: rows.length }),
          content: `${t(`table.ask.${verb}`, { names: namesOf(rows) })} ${doublesOf(t, verb, rows)}`,
          action: t(`table.action.${verb}`),
          run,
        });
        return;
      }
      // A refusal is answered by the notice that every failed change gets.
      run().catch(() => undefined);
    },
    [t, confirm, mutateAsync, onResults],
  );
}

/** Asks, then continues all tables of the link that lack changes. */
export function useAcceptGaps(linkId: string) {
  const { t } = useTranslation('sync');
  const confirm = useConfirmDanger();
  const { mutateAsync } = useAcceptAllGaps(linkId);
  return () =>
    confirm({
      title: t('table.gaps.askTitle'),
      content: t('table.gaps.ask'),
      action: t('table.gaps.all'),
      run: async () => notify('success', t('table.done.accept-gap', { count: (await mutateAsync()).length })),
    });
}

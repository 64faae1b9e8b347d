import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import {
  call,
  contrastCompare,
  contrastDiscard,
  contrastRepair,
  contrastStop,
  type SheetRecord,
} from '@/shared/api';
import { notify } from '@/shared/lib/notices';
import { useConfirmDanger } from '@/shared/ui/confirm-danger';
import type { TableResult } from '@/shared/widgets/sync/results-dialog';
import { namesOf } from '@/shared/widgets/sync/use-table-actions';
import { useAsk } from './queries';
import { awaitRepairs } from './use-repair-outcomes';

export const comparisonVerbs = ['compare', 'stop', 'repair', 'discard'] as const;

export type ComparisonVerb = (typeof comparisonVerbs)[number];
export type ComparisonMethod = NonNullable<SheetRecord['comparison']>['method'];

/** How tables are compared. */
export interface ComparisonOrder {
  /** None: contents, and record counts of tables without a key. */
  method: ComparisonMethod | null;
  /** None: all. */
  columns: string[];
  /** Number of rechecks of rows that differ. */
  rounds: number;
}

export const usualOrder: ComparisonOrder = { method: 'content', columns: [], rounds: 3 };

/** Of chosen tables, each by the method that suits it. */
const orderOfMany: ComparisonOrder = { ...usualOrder, method: null };

const NOTICES = { compare: 'asked', stop: 'stopped', repair: 'repairAsked', discard: 'discarded' } as const;

interface Asked {
  verb: ComparisonVerb;
  tables: string[];
  order: ComparisonOrder;
}

const calls = { stop: contrastStop, repair: contrastRepair, discard: contrastDiscard } as const;

/** Why something cannot be asked of a table's comparison now; none: it can. */
export function useComparisonRefusal() {
  const { t } = useTranslation('subscribe');
  return ({ comparison }: SheetRecord, verb: ComparisonVerb): string | undefined => {
    if (comparison) return comparison.refusals[verb];
    return verb === 'compare' ? undefined : t('comparison.never');
  };
}

/** Compares or stops, repairs or drops the result; the latter two ask first. Shows each table's outcome unless all went well. */
export function useComparison(onResults: (results: readonly TableResult[]) => void) {
  const { t } = useTranslation('subscribe');
  const confirm = useConfirmDanger();
  const { mutateAsync } = useAsk('status', ({ verb, tables, order }: Asked) =>
    call(
      verb === 'compare'
        ? contrastCompare({ body: { tables, ...order } })
        : calls[verb]({ body: { tables } }),
    ),
  );
  return useCallback(
    (verb: ComparisonVerb, rows: readonly SheetRecord[], order: ComparisonOrder = orderOfMany) => {
      const keyless =
        verb === 'compare' && !order.method ? rows.filter(({ appendOnly }) => appendOnly).length : 0;
      const counted = keyless > 0 ? t('comparison.counted', { count: keyless }) : '';
      const run = async () => {
        const results = await mutateAsync({ verb, tables: rows.map(({ id }) => id), order });
        const ordered = results.filter((result) => result.done);
        const done = ordered.length;
        if (verb === 'repair') awaitRepairs(ordered.flatMap(({ id }) => id ?? []));
        if (done < results.length) onResults(results);
        else notify('success', [t(`comparison.${NOTICES[verb]}`, { count: done }), counted].join(''));
      };
      if (verb === 'repair' || verb === 'discard')
        confirm({
          title: t(`comparison.${verb}Title`, { count: rows.length }),
          content: t(`comparison.${verb}Hint`, { names: namesOf(rows) }),
          action: t(`comparison.action.${verb}`),
          run,
        });
      // A refusal is answered by the notice that every failed change gets.
      else run().catch(() => undefined);
    },
    [t, confirm, mutateAsync, onResults],
  );
}

import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { RowErrorRecord } from '@/shared/api';
import { notify } from '@/shared/lib/notices';
import { useConfirmDanger } from '@/shared/ui/confirm-danger';
import { type RowErrorDecision, useDecide } from './queries';
import type { ErrorSource } from './source';

const NAMED = 10;

/** A row without a key is one that is not in sight: it is counted, not named. */
export type DecidedRow = Pick<RowErrorRecord, 'id' | 'key'>;

export type Decide = (decision: RowErrorDecision, rows: readonly DecidedRow[], onDone?: () => void) => void;

/** A row by its key, as people write it. */
export function keyText({ key }: Pick<RowErrorRecord, 'key'>): string {
  const parts = Object.entries(key).map(([column, value]) => `${column}=${value ?? 'NULL'}`);
  return parts.join(', ') || '–';
}

function namesOf(rows: readonly DecidedRow[]): string {
  const named = rows.filter(({ key }) => Object.keys(key).length > 0).slice(0, NAMED);
  const names = named.map((row) => keyText(row)).join('; ');
  return rows.length > named.length ? `${names} …` : names;
}

/** Retries at once; asks before rows are given up. */
export function useDecisions(source: ErrorSource) {
  const { t } = useTranslation('row-error');
  const confirm = useConfirmDanger();
  const { mutateAsync } = useDecide(source);
  return useCallback(
    (decision: RowErrorDecision, rows: readonly DecidedRow[], onDone?: () => void) => {
      const run = async () => {
        const count = await mutateAsync({ decision, errors: rows.map(({ id }) => id) });
        notify('success', t(`done.${decision}`, { count }));
        onDone?.();
      };
      if (decision === 'skip') {
        confirm({
          title: t('askSkip', { count: rows.length }),
          content: t('askSkipText', { names: namesOf(rows) }),
          action: t('verb.skip'),
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

import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { create } from 'zustand';
import { call, type SheetRecord, subscribePageSheet } from '@/shared/api';
import { useLive } from '@/shared/hooks/use-live';
import { notify } from '@/shared/lib/notices';
import { sheetKey } from './queries';

interface Awaited {
  id: string;
  /** Of the order: an answer from before it says nothing of it. */
  order: number;
}

/** Repairs that were ordered here and have not ended; they outlive the drawer and the page that they were ordered on. */
const useAwaited = create<{ repairs: readonly Awaited[] }>(() => ({ repairs: [] }));

let orders = 0;

/** Has the viewer notified of the end of these tables' repairs. */
export function awaitRepairs(tables: readonly string[]): void {
  orders += 1;
  const added = tables.map((id) => ({ id, order: orders }));
  useAwaited.setState(({ repairs }) => ({
    repairs: [...repairs.filter(({ id }) => !tables.includes(id)), ...added],
  }));
}

const isOver = ({ comparison }: SheetRecord) =>
  comparison?.repairState === 'repair-done' || comparison?.repairState === 'repair-error';

/** Says of each awaited repair how it ended: success only where no row differs any more. */
export function useRepairOutcomes(): void {
  const { t } = useTranslation('subscribe');
  const repairs = useAwaited((state) => state.repairs);
  const { data } = useLive({
    queryKey: [sheetKey, 'repairs', repairs],
    topics: ['table', 'service', 'call'],
    queryFn: ({ signal }) =>
      call(subscribePageSheet({ body: { tables: repairs.map(({ id }) => id), size: -1 }, signal })),
    enabled: repairs.length > 0,
    gcTime: 0,
  });
  useEffect(() => {
    if (!data || repairs.length === 0) return;
    const ended = data.records.filter(isOver);
    for (const { source, comparison } of ended) {
      if (comparison?.repairState === 'repair-done')
        notify('success', t('comparison.repairSuccess', { name: source, count: comparison.repaired }));
      else
        notify(
          'error',
          t('comparison.repairFailed', { name: source, reason: comparison?.repairReason?.text ?? '' }),
        );
    }
    const open = new Set(data.records.filter((row) => !isOver(row)).map(({ id }) => id));
    // A table that is subscribed no longer has no end.
    if (open.size < repairs.length)
      useAwaited.setState({ repairs: repairs.filter(({ id }) => open.has(id)) });
  }, [data, repairs, t]);
}

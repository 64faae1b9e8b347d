import { keepPreviousData } from '@tanstack/react-query';
import { call, pointToPointPage, pointToPointTotals, type WayRecord } from '@/shared/api';
import { useLive } from '@/shared/hooks/use-live';
import { replication } from '@/shared/live/topics';
import type { TableRequest } from '@/shared/ui/data-table';
import type { StateFilter } from '@/shared/ui/list-state';

function asked(request: TableRequest, { search, state }: StateFilter) {
  return { ...request, search: search || null, state: state ? [state as WayRecord['state']] : null };
}

export function useWays(request: TableRequest, filter: StateFilter) {
  const body = asked(request, filter);
  return useLive({
    queryKey: ['point-to-point', 'page', body],
    topics: replication,
    queryFn: ({ signal }) => call(pointToPointPage({ body, signal })),
    placeholderData: keepPreviousData,
  });
}

/** Every way that the filter leaves, sorted as the list is. */
export async function allWays(request: TableRequest, filter: StateFilter): Promise<readonly WayRecord[]> {
  const body = { ...asked(request, filter), current: 1, size: -1 };
  return (await call(pointToPointPage({ body }))).records;
}

export function useTotals() {
  return useLive({
    queryKey: ['point-to-point', 'totals'],
    topics: replication,
    queryFn: ({ signal }) => call(pointToPointTotals({ signal })),
  });
}

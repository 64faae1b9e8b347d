import { keepPreviousData } from '@tanstack/react-query';
import { call, type LoadRecord, loadHistoryPage, loadHistorySummarise } from '@/shared/api';
import { useLive } from '@/shared/hooks/use-live';
import { replication } from '@/shared/live/topics';
import type { TableRequest } from '@/shared/ui/data-table';

/** An empty field does not narrow the list. */
export interface LoadFilter {
  search: string;
  state: string;
  check: string;
  since: string;
  until: string;
}

function narrowed({ search, state, check, since, until }: LoadFilter) {
  return {
    search,
    state: (state || null) as LoadRecord['state'] | null,
    check: (check || null) as LoadRecord['check'],
    since: since || null,
    until: until || null,
  };
}

/** Full loads by page. Those that run move. */
export function useLoads(request: TableRequest, filter: LoadFilter) {
  const body = { ...request, ...narrowed(filter) };
  return useLive({
    queryKey: ['load-history', 'page', body],
    topics: replication,
    queryFn: ({ signal }) => call(loadHistoryPage({ body, signal })),
    placeholderData: keepPreviousData,
  });
}

/** Every load that the filter leaves, sorted as the list is. */
export async function allLoads(request: TableRequest, filter: LoadFilter) {
  const body = { ...request, ...narrowed(filter), current: 1, size: -1 };
  return (await call(loadHistoryPage({ body }))).records;
}

/** Sums over the loads that the filter leaves. */
export function useLoadSummary(filter: LoadFilter) {
  const body = narrowed(filter);
  return useLive({
    queryKey: ['load-history', 'summary', body],
    topics: replication,
    queryFn: ({ signal }) => call(loadHistorySummarise({ body, signal })),
    placeholderData: keepPreviousData,
    interval: 10_000,
  });
}

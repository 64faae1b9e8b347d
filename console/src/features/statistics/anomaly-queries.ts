import { keepPreviousData } from '@tanstack/react-query';
import { type AnomalyGrouping, anomalyStatisticsPage, call } from '@/shared/api';
import { useRead } from '@/shared/hooks/use-live';
import type { TableRequest } from '@/shared/ui/data-table';

export const ANOMALY_GROUPINGS = ['class', 'cause', 'object'] as const satisfies readonly AnomalyGrouping[];

/** An empty field does not narrow the list. */
export interface AnomalyFilter {
  search: string;
  by: string;
  kind: string;
  cause: string;
  since: string;
  until: string;
}

export function anomalyGroupingOf(by: string): AnomalyGrouping {
  return ANOMALY_GROUPINGS.find((known) => known === by) ?? 'class';
}

function asked(request: TableRequest, { search, by, kind, cause, since, until }: AnomalyFilter) {
  return {
    ...request,
    search,
    by: anomalyGroupingOf(by),
    kind: kind || null,
    cause: cause || null,
    since: since || null,
    until: until || null,
  };
}

/** Anomalies counted together, by page. It does not refresh by itself: a list that moves cannot be read. */
export function useAnomalies(request: TableRequest, filter: AnomalyFilter) {
  const body = asked(request, filter);
  return useRead({
    queryKey: ['anomaly-statistics', 'page', body],
    queryFn: ({ signal }) => call(anomalyStatisticsPage({ body, signal })),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}

/** Every record that the filter leaves, sorted as the list is. */
export async function allAnomalies(request: TableRequest, filter: AnomalyFilter) {
  const body = { ...asked(request, filter), current: 1, size: -1 };
  return (await call(anomalyStatisticsPage({ body }))).records;
}

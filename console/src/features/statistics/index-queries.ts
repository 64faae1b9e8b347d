import { keepPreviousData } from '@tanstack/react-query';
import { call, type Grouping, indexStatisticsGet, indexStatisticsPage } from '@/shared/api';
import { useLive } from '@/shared/hooks/use-live';
import type { TableRequest } from '@/shared/ui/data-table';
import { endsOf, type IndexRange } from './index-range';

/** What is counted comes in minutes. */
const INTERVAL = 60_000;

export const GROUPINGS = ['link', 'node', 'container', 'tenant'] as const satisfies readonly Grouping[];

export interface IndexFilter extends IndexRange {
  search: string;
  by: string;
}

export function groupingOf(by: string): Grouping {
  return GROUPINGS.find((known) => known === by) ?? 'link';
}

function asked(filter: IndexFilter) {
  const { from, to } = endsOf(filter);
  return {
    by: groupingOf(filter.by),
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
  };
}

/** Groups with their figures by page. */
export function useIndexes(request: TableRequest, filter: IndexFilter) {
  const body = { ...request, ...asked(filter), search: filter.search };
  return useLive({
    queryKey: ['index-statistics', 'page', body],
    queryFn: ({ signal }) => call(indexStatisticsPage({ body, signal })),
    placeholderData: keepPreviousData,
    interval: INTERVAL,
  });
}

/** Every group that the filter leaves, sorted as the list is. */
export async function allIndexes(request: TableRequest, filter: IndexFilter) {
  const body = { ...request, ...asked(filter), search: filter.search, current: 1, size: -1 };
  return (await call(indexStatisticsPage({ body }))).records;
}

/** Figures and charts of a group; null: of everything. */
export function useIndex(id: string | null, filter: IndexFilter) {
  const body = { ...asked(filter), id };
  return useLive({
    queryKey: ['index-statistics', 'get', body],
    queryFn: ({ signal }) => call(indexStatisticsGet({ body, signal })),
    placeholderData: keepPreviousData,
    interval: INTERVAL,
  });
}

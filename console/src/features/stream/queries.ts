import { keepPreviousData, useMutation } from '@tanstack/react-query';
import {
  call,
  type StreamQueryDefinition,
  type StreamQueryRecord,
  streamCheckStreamQuery,
  streamPageComputations,
  streamPageInputs,
  subscribePageDatabases,
} from '@/shared/api';
import { useLive, useRead } from '@/shared/hooks/use-live';
import { useRefreshing } from '@/shared/hooks/use-refreshing';
import { replication } from '@/shared/live/topics';
import type { TableRequest } from '@/shared/ui/data-table';
import type { StateFilter } from '@/shared/ui/list-state';

export const MENU = 'stream';
const KEY = 'stream';

/** As many tables as one search offers. */
const MAX_INPUTS = 50;

const refreshed = [[KEY]];

/** Everything that is shown of stream queries is asked for again after something was done. */
export function useRefresh(): () => Promise<unknown> {
  return useRefreshing(refreshed);
}

function asked(request: TableRequest, { search, state }: StateFilter) {
  return { ...request, search, state: state ? [state as StreamQueryRecord['state']] : [] };
}

export function useStreamQueries(request: TableRequest, filter: StateFilter) {
  const body = asked(request, filter);
  return useLive({
    queryKey: [KEY, 'computations', body],
    topics: replication,
    queryFn: ({ signal }) => call(streamPageComputations({ body, signal })),
    placeholderData: keepPreviousData,
  });
}

/** Every stream query that the filter leaves, sorted as the list is. */
export async function allStreamQueries(request: TableRequest, filter: StateFilter) {
  const body = { ...asked(request, filter), current: 1, size: -1 };
  return (await call(streamPageComputations({ body }))).records;
}

/** The databases that results may go to. */
export function useTargets() {
  return useRead({
    queryKey: [KEY, 'targets'],
    queryFn: ({ signal }) =>
      call(
        subscribePageDatabases({
          body: { clientType: 'stream', size: -1, sort: 'customerName', order: 'asc' },
          signal,
        }),
      ),
    staleTime: 0,
  });
}

/** Published tables whose names hold a text. */
export function useInputs(search: string) {
  const body = { search, size: MAX_INPUTS };
  return useRead({
    queryKey: [KEY, 'inputs', body],
    queryFn: ({ signal }) => call(streamPageInputs({ body, signal })),
    placeholderData: keepPreviousData,
  });
}

/** Whether a SELECT can be computed, and the columns of its result. */
export function useCheck() {
  return useMutation({
    mutationFn: (body: StreamQueryDefinition) => call(streamCheckStreamQuery({ body })),
    meta: { quiet: true },
  });
}

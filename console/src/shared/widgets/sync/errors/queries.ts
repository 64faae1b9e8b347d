import { keepPreviousData, useMutation } from '@tanstack/react-query';
import {
  call,
  type RowErrorRecord,
  type RowErrorStatus,
  type RowOperation,
  rowErrorLimit,
  type TaskTableRecord,
} from '@/shared/api';
import { useLive, useRead } from '@/shared/hooks/use-live';
import { useRefreshing } from '@/shared/hooks/use-refreshing';
import type { TableRequest } from '@/shared/ui/data-table';
import { useRefresh as useRefreshTables } from '../queries';
import type { Limits } from './limits-drawer';
import type { ErrorSource } from './source';

/** Undecided row errors: the target differs from the source in these rows. */
export const openStatuses: readonly RowErrorStatus[] = ['not-processed', 'processing', 'auto-recovery'];

/** Whether a change can be tried again: one of an append-only table that needs a key can only be skipped. */
export function isRetryable({ code }: Pick<RowErrorRecord, 'code'>): boolean {
  return code !== 'append-only';
}

/** All that are open; what the list shows at first. */
export const OPEN = 'open';

/** Of what the list keeps in the address. */
export const ERROR_PREFIX = 'error-';

export interface RowErrorFilter {
  search: string;
  /** A status, `open`, or empty for every one. */
  status: string;
  /** Empty: every kind of change. */
  operation: string;
  /** As the list of causes says it; empty: every one. */
  cause: string;
  /** Id of a task's table; empty: all of the link. */
  table: string;
}

/** Each look opens a connection to the target, so it is taken less often than the platform's own figures. */
const INTERVAL = 5000;
const KEY = 'row-error';
const MAX_AT_ONCE = 1000;

export function isOpen({ status }: Pick<RowErrorRecord, 'status'>): boolean {
  return openStatuses.includes(status);
}

function statusesOf(status: string): RowErrorStatus[] | null {
  if (status === '') return null;
  return status === OPEN ? [...openStatuses] : [status as RowErrorStatus];
}

function asked(request: TableRequest, filter: RowErrorFilter) {
  return {
    ...request,
    search: filter.search || null,
    status: statusesOf(filter.status),
    operation: filter.operation ? [filter.operation as RowOperation] : null,
    cause: filter.cause || null,
    tables: filter.table ? [filter.table] : null,
  };
}

export function useRowErrors(source: ErrorSource, request: TableRequest, filter: RowErrorFilter) {
  const body = asked(request, filter);
  return useLive({
    queryKey: [KEY, 'page', source.key, body],
    topics: ['figures', 'table', 'call'],
    queryFn: ({ signal }) => source.page(body, signal),
    placeholderData: keepPreviousData,
    interval: INTERVAL,
  });
}

/** Every row error that the filter leaves, sorted as the list is. */
export async function allRowErrors(
  source: ErrorSource,
  request: TableRequest,
  filter: RowErrorFilter,
): Promise<readonly RowErrorRecord[]> {
  return (await source.page({ ...asked(request, filter), current: 1, size: -1 })).records;
}

/** Why changes were refused, counted over what status and table leave. */
export function useCauses(source: ErrorSource, { status, table }: RowErrorFilter) {
  const body = { status: statusesOf(status), tables: table ? [table] : null };
  return useLive({
    queryKey: [KEY, 'causes', source.key, body],
    topics: ['figures', 'table', 'call'],
    queryFn: ({ signal }) => source.causes(body, signal),
    placeholderData: keepPreviousData,
    interval: INTERVAL,
  });
}

export function useRowError(source: ErrorSource, error: string) {
  return useRead({
    queryKey: [KEY, 'get', source.key, error],
    queryFn: ({ signal }) => source.get(error, signal),
    staleTime: 0,
  });
}

const refreshed = [[KEY]];

function useRefresh(): () => Promise<unknown> {
  return useRefreshing(refreshed);
}

export type RowErrorDecision = 'retry' | 'skip';

/** Has open row errors tried again or given up. Answers of how many that was asked. */
export function useDecide(source: ErrorSource) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: async ({ decision, errors }: { decision: RowErrorDecision; errors: readonly string[] }) => {
      let count = 0;
      for (let begin = 0; begin < errors.length; begin += MAX_AT_ONCE) {
        const part = errors.slice(begin, begin + MAX_AT_ONCE);
        count += await source[decision]({ errors: part });
      }
      return count;
    },
    meta: { asked: 'status' },
    onSettled: refresh,
  });
}

/** Tries a row error again with other values. */
export function useEditRowError(source: ErrorSource) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: ({ error, after }: { error: string; after: Record<string, string | null> }) =>
      source.edit({ error, after }),
    meta: { asked: 'modify' },
    onSettled: refresh,
  });
}

/** Sets how many row errors tables of a link may have open, and how many changes they skip. Answers what became of each. */
export function useSetLimits(linkId: string) {
  const refresh = useRefreshTables();
  return (tables: readonly TaskTableRecord[], limits: Limits) =>
    call(
      rowErrorLimit({ body: { id: linkId, tables: tables.map(({ source }) => source), ...limits } }),
    ).finally(refresh);
}

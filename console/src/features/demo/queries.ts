import { keepPreviousData, useQueries } from '@tanstack/react-query';
import {
  call,
  containerListContainers,
  containerListServices,
  homeOverview,
  type LinkDetail,
  type OperationRecord,
  operationLogGet,
  operationLogPage,
  syncLinkExport,
  syncLinkGet,
  syncLinkPage,
  syncTaskPageTables,
} from '@/shared/api';
import { ANNOUNCED_INTERVAL, LIVE_INTERVAL, useLive, useRead } from '@/shared/hooks/use-live';
import { replication, useAnnounced } from '@/shared/live/topics';
import { usePageActive } from '@/shared/pages/page-context';
import type { TableRequest } from '@/shared/ui/data-table';

export interface RecordFilter {
  search: string;
  /** Empty: every result. */
  result: string;
}

const SHOWN_LINKS = 10;
const SHOWN_TABLES = 8;
const SHOWN_RECORDS = 500;

function asked(request: TableRequest, { search, result }: RecordFilter) {
  return { ...request, search, result: (result || null) as OperationRecord['result'] | null };
}

/** The operation log by page. It stands still between two looks: a log that moves under the eye cannot be read. */
export function useRecords(request: TableRequest, filter: RecordFilter) {
  const body = asked(request, filter);
  return useRead({
    queryKey: ['operation-log', 'page', body],
    queryFn: ({ signal }) => call(operationLogPage({ body, signal })),
    placeholderData: keepPreviousData,
  });
}

/** Every record that the filter leaves, sorted as the list is. */
export async function allRecords(
  request: TableRequest,
  filter: RecordFilter,
): Promise<readonly OperationRecord[]> {
  const body = { ...asked(request, filter), current: 1, size: -1 };
  return (await call(operationLogPage({ body }))).records;
}

export function useRecord(id: string) {
  return useRead({
    queryKey: ['operation-log', 'get', id],
    queryFn: ({ signal }) => call(operationLogGet({ body: { id }, signal })),
  });
}

/** The newest records, followed as they come. */
export function useNewestRecords() {
  return useLive({
    queryKey: ['operation-log', 'newest'],
    topics: ['call'],
    queryFn: ({ signal }) => call(operationLogPage({ body: { size: SHOWN_RECORDS }, signal })),
  });
}

export function useFirstLinks() {
  return useLive({
    queryKey: ['sync-link', 'first'],
    topics: replication,
    queryFn: ({ signal }) => call(syncLinkPage({ body: { size: SHOWN_LINKS }, signal })),
  });
}

/** Details of links, each asked for on its own; those that have not answered yet are left out. */
export function useLinkDetails(ids: readonly string[]): LinkDetail[] {
  const isActive = usePageActive();
  const interval = useAnnounced(({ isLive }) => isLive) ? ANNOUNCED_INTERVAL : LIVE_INTERVAL;
  return useQueries({
    queries: ids.map((id) => ({
      queryKey: ['sync-link', 'get', id],
      queryFn: () => call(syncLinkGet({ body: { id } })),
      subscribed: isActive,
      meta: { topics: replication },
      refetchInterval: isActive ? interval : (false as const),
    })),
    combine: (results) => results.flatMap(({ data }) => (data ? [data] : [])),
  });
}

export function useOverview() {
  return useLive({
    queryKey: ['home', 'overview'],
    topics: [...replication, 'alert'],
    queryFn: ({ signal }) => call(homeOverview({ body: {}, signal })),
  });
}

/** The tables of a task with the most rows. */
export function useLargestTables(taskId: string | undefined) {
  return useLive({
    queryKey: ['sync-task', 'largest', taskId],
    topics: replication,
    queryFn: ({ signal }) =>
      call(
        syncTaskPageTables({
          body: { id: taskId ?? '', size: SHOWN_TABLES, sort: 'rowsLoaded', order: 'desc' },
          signal,
        }),
      ),
    enabled: taskId !== undefined,
  });
}

export function useLinkDocument(id: string | undefined) {
  return useRead({
    queryKey: ['sync-link', 'document', id],
    queryFn: async ({ signal }) => (await call(syncLinkExport({ body: { id: id ?? '' }, signal }))).document,
    enabled: id !== undefined,
  });
}

/** Every host whose agent is known. */
export function useHosts() {
  return useLive({
    queryKey: ['demo', 'hosts'],
    topics: ['service', 'call'],
    queryFn: async ({ signal }) =>
      (await call(containerListContainers({ body: {}, signal }))).flatMap(({ agents }) => agents),
  });
}

export function useServices() {
  return useLive({
    queryKey: ['demo', 'services'],
    topics: ['service', 'call'],
    queryFn: ({ signal }) => call(containerListServices({ body: {}, signal })),
  });
}

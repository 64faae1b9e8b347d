import { keepPreviousData } from '@tanstack/react-query';
import {
  type ApiLine,
  call,
  dataServiceGetApi,
  dataServiceListServices,
  dataServiceListVersions,
  dataServicePageApis,
  dataServicePageApps,
  dataServicePageCalls,
  dataServicePageGroups,
} from '@/shared/api';
import { useLive, useRead } from '@/shared/hooks/use-live';
import { useRefreshing } from '@/shared/hooks/use-refreshing';
import type { TableRequest } from '@/shared/ui/data-table';

export const GROUPS = 'data-service/api-group';
export const APPS = 'data-service/api-app';

/** As many as a choice offers. */
const MAX_CHOICES = 1000;

const refreshed = [['data-service']];

/** Everything that is shown of data services is asked for again after something was done. */
export function useRefresh(): () => Promise<unknown> {
  return useRefreshing(refreshed);
}

export function useServices() {
  return useLive({
    queryKey: ['data-service', 'services'],
    topics: ['service', 'call'],
    queryFn: ({ signal }) => call(dataServiceListServices({ body: {}, signal })),
  });
}

export function useGroups(request: TableRequest, search: string) {
  const body = { ...request, search };
  return useRead({
    queryKey: ['data-service', 'groups', body],
    queryFn: ({ signal }) => call(dataServicePageGroups({ body, signal })),
    placeholderData: keepPreviousData,
  });
}

export function useGroupChoice() {
  return useRead({
    queryKey: ['data-service', 'groups', 'choice'],
    queryFn: ({ signal }) => call(dataServicePageGroups({ body: { size: MAX_CHOICES }, signal })),
  });
}

export interface ApiFilter {
  search: string;
  /** Empty: every state. */
  state: string;
}

export function useApis(request: TableRequest, { search, state }: ApiFilter) {
  const body = { ...request, search, state: (state || null) as ApiLine['state'] | null };
  return useRead({
    queryKey: ['data-service', 'apis', body],
    queryFn: ({ signal }) => call(dataServicePageApis({ body, signal })),
    placeholderData: keepPreviousData,
  });
}

export function useApiChoice() {
  return useRead({
    queryKey: ['data-service', 'apis', 'choice'],
    queryFn: ({ signal }) => call(dataServicePageApis({ body: { size: MAX_CHOICES }, signal })),
  });
}

/** An API as it is edited, read once: what is typed must not change under the hand. */
export function useApi(id: string | undefined) {
  return useRead({
    queryKey: ['data-service', 'api', id],
    queryFn: ({ signal }) => call(dataServiceGetApi({ body: { id: id ?? '' }, signal })),
    enabled: id !== undefined,
    staleTime: 0,
    gcTime: 0,
  });
}

export function useVersions(id: string) {
  return useRead({
    queryKey: ['data-service', 'versions', id],
    queryFn: ({ signal }) => call(dataServiceListVersions({ body: { id }, signal })),
  });
}

export function useApps(request: TableRequest, search: string) {
  const body = { ...request, search };
  return useRead({
    queryKey: ['data-service', 'apps', body],
    queryFn: ({ signal }) => call(dataServicePageApps({ body, signal })),
    placeholderData: keepPreviousData,
  });
}

export interface LogFilter {
  search: string;
  /** `failed`, `answered`, or empty for both. */
  result: string;
}

function callsAsked(request: TableRequest, { search, result }: LogFilter) {
  return { ...request, search, failed: result === '' ? null : result === 'failed' };
}

export function useCalls(request: TableRequest, filter: LogFilter) {
  const body = callsAsked(request, filter);
  return useLive({
    queryKey: ['data-service', 'log', body],
    // Services report their calls as they report figures.
    topics: ['figures'],
    queryFn: ({ signal }) => call(dataServicePageCalls({ body, signal })),
    placeholderData: keepPreviousData,
    interval: 5000,
  });
}

/** Every call that the filter leaves, sorted as the list is. */
export async function allCalls(request: TableRequest, filter: LogFilter) {
  const body = { ...callsAsked(request, filter), current: 1, size: -1 };
  return (await call(dataServicePageCalls({ body }))).records;
}

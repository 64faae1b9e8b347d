import { keepPreviousData } from '@tanstack/react-query';
import {
  type ClusterRecord,
  call,
  clusterExceptionStatisticsCount,
  clusterGetStatistics,
  clusterInfo,
  clusterPage,
  clusterStatusStatistics,
  containerClientProperties,
  containerListProperties,
  containerPushProperties,
  sessionGetInformation,
} from '@/shared/api';
import { useLive, useRead } from '@/shared/hooks/use-live';
import { useRefreshing } from '@/shared/hooks/use-refreshing';
import type { TableRequest } from '@/shared/ui/data-table';

export interface ContainerFilter {
  containerName: string;
  displayName: string;
  /** Empty: every status. */
  status: string;
}

function asked(request: TableRequest, { status, ...names }: ContainerFilter) {
  return { ...request, ...names, status: status === '' ? (-1 as const) : (Number(status) as 0 | 1) };
}

export function useContainerPage(request: TableRequest, filter: ContainerFilter) {
  const body = asked(request, filter);
  return useLive({
    queryKey: ['container', 'page', body],
    topics: ['service', 'figures', 'call'],
    queryFn: ({ signal }) => call(clusterPage({ body, signal })),
    placeholderData: keepPreviousData,
  });
}

/** Every container that the filter leaves, sorted as the list is. */
export async function allContainers(
  request: TableRequest,
  filter: ContainerFilter,
): Promise<readonly ClusterRecord[]> {
  return (await call(clusterPage({ body: { ...asked(request, filter), current: 1, size: -1 } }))).records;
}

/** A container with its hosts. */
export function useContainer(id: string) {
  return useLive({
    queryKey: ['container', 'info', id],
    topics: ['service', 'figures', 'call'],
    queryFn: ({ signal }) => call(clusterInfo({ body: { id, type: 'zcbus' }, signal })),
  });
}

/** Its figures, its services by type and state, and what is wrong, all of one moment. */
export function useContainerStatistics(id: string) {
  return useLive({
    queryKey: ['container', 'statistics', id],
    topics: ['service', 'figures', 'call'],
    queryFn: async ({ signal }) => {
      const body = { containerid: id };
      const [figures, services, exceptions] = await Promise.all([
        call(clusterGetStatistics({ body, signal })),
        call(clusterStatusStatistics({ body, signal })),
        call(clusterExceptionStatisticsCount({ body, signal })),
      ]);
      return { figures, services, exceptions };
    },
  });
}

/** What is set for a container, by module, and for its connections to Kafka. */
export function useProperties(id: string) {
  return useRead({
    queryKey: ['container', 'properties', id],
    queryFn: async ({ signal }) => {
      const body = { containerid: id };
      const [modules, push, client] = await Promise.all([
        call(containerListProperties({ body, signal })),
        call(containerPushProperties({ body, signal })),
        call(containerClientProperties({ body, signal })),
      ]);
      return { modules, kafka: [push, client] };
    },
    staleTime: 0,
  });
}

/** The tenants that a container can be kept for. */
export function useTenants() {
  return useRead({
    queryKey: ['container', 'tenants'],
    queryFn: async ({ signal }) => (await call(sessionGetInformation({ signal }))).customerList,
  });
}

const refreshed = [['container']];

export function useRefresh(): () => Promise<unknown> {
  return useRefreshing(refreshed);
}

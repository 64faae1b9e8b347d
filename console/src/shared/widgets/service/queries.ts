import { keepPreviousData } from '@tanstack/react-query';
import {
  call,
  containerListContainers,
  type ManagedService,
  type ServicePageRequest,
  type ServiceResult,
  selectionListMembers,
  serviceAttempts,
  serviceForceStatus,
  serviceModifyStatus,
  servicePage,
} from '@/shared/api';
import { useLive, useRead } from '@/shared/hooks/use-live';
import { useRefreshing } from '@/shared/hooks/use-refreshing';
import type { TableRequest } from '@/shared/ui/data-table';
import type { ServiceType } from './kinds';

export const MENU_KEY = 'system/service_management';

export type LogLevel = ManagedService['logLevel'];

/** What is asked of running and standing services alike, one or many. */
export type Steering = 'start' | 'stop' | 'restart' | 'force-stop';

export const logLevels: readonly LogLevel[] = ['debug', 'info', 'warning', 'error'];

const KEY = ['service'];

export type ServiceFilter = Required<Pick<ServicePageRequest, 'search' | 'status' | 'type'>>;

export function useServices(request: TableRequest, filter: ServiceFilter, containerid: string) {
  const body = { ...request, ...filter, containerid };
  return useLive({
    queryKey: [...KEY, 'page', body],
    topics: ['service', 'call'],
    queryFn: ({ signal }) => call(servicePage({ body, signal })),
    placeholderData: keepPreviousData,
  });
}

/** Every service that the filter leaves, sorted as the list is. */
export async function allServices(request: TableRequest, filter: ServiceFilter, containerid: string) {
  const body = { ...request, ...filter, containerid, current: 1, size: -1 };
  return (await call(servicePage({ body }))).records;
}

export function useAttempts(id: string) {
  return useRead({
    queryKey: [...KEY, 'attempts', id],
    queryFn: ({ signal }) => call(serviceAttempts({ body: { id }, signal })),
    staleTime: 0,
  });
}

/** Publish nodes, or customers, whose service no container runs. */
export function useFreeMembers(type: ServiceType) {
  return useRead({
    queryKey: [...KEY, 'free', type],
    queryFn: ({ signal }) =>
      call(selectionListMembers({ body: { type, customerType: '', freeOnly: true }, signal })),
    staleTime: 0,
  });
}

/** The hosts of a container, online or not. */
export function useHosts(containerId: string) {
  return useRead({
    queryKey: [...KEY, 'hosts', containerId],
    queryFn: async ({ signal }) => {
      const containers = await call(containerListContainers({ body: {}, signal }));
      return containers.find(({ id }) => id === containerId)?.agents ?? [];
    },
    staleTime: 0,
  });
}

const refreshed = [KEY];

export function useRefreshServices(): () => Promise<unknown> {
  return useRefreshing(refreshed);
}

const statusOf = { start: 'started', stop: 'stopped', restart: 'restarting' } as const;

/** Asks the same of services; each has a result of its own. */
export function steer(verb: Steering, ids: string[]): Promise<ServiceResult[]> {
  if (verb === 'force-stop') return call(serviceForceStatus({ body: { ids } }));
  return call(serviceModifyStatus({ body: { ids, status: statusOf[verb] } }));
}

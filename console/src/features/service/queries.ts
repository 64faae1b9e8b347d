import { keepPreviousData, useQueryClient } from '@tanstack/react-query';
import {
  call,
  type ManagedService,
  type ServicePageRequest,
  type ServiceResult,
  selectionListMembers,
  serviceAttempts,
  serviceForceStatus,
  serviceModifyStatus,
  servicePage,
  serviceSearchLog,
} from '@/shared/api';
import { useLive, useRead } from '@/shared/hooks/use-live';
import type { TableRequest } from '@/shared/ui/data-table';

export const MENU_KEY = 'system/service_management';

export type ServiceType = ManagedService['type'];
export type LogLevel = ManagedService['logLevel'];

/** What is asked of running and standing services alike, one or many. */
export type Steering = 'start' | 'stop' | 'restart' | 'force-stop';

export const logLevels: readonly LogLevel[] = ['debug', 'info', 'warning', 'error'];
export const serviceTypes: readonly ServiceType[] = ['publish', 'subscribe'];

const KEY = ['service'];

export type ServiceFilter = Required<Pick<ServicePageRequest, 'search' | 'status' | 'type'>>;

export function useServices(request: TableRequest, filter: ServiceFilter) {
  const body = { ...request, ...filter };
  return useLive({
    queryKey: [...KEY, 'page', body],
    queryFn: ({ signal }) => call(servicePage({ body, signal })),
    placeholderData: keepPreviousData,
  });
}

/** Every service that the filter leaves, sorted as the list is. */
export async function allServices(request: TableRequest, filter: ServiceFilter) {
  return (await call(servicePage({ body: { ...request, ...filter, current: 1, size: -1 } }))).records;
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

/** The newest lines of a service's log that match, again and again. */
export function useLogLines(id: string, asked: { text: string; level: LogLevel }) {
  const body = { id, ...asked };
  return useLive({
    queryKey: [...KEY, 'log', body],
    queryFn: ({ signal }) => call(serviceSearchLog({ body, signal })),
    placeholderData: keepPreviousData,
  });
}

export function useRefreshServices(): () => Promise<unknown> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: KEY });
}

const statusOf = { start: 'started', stop: 'stopped', restart: 'restarting' } as const;

/** Asks the same of services; each has a result of its own. */
export function steer(verb: Steering, ids: string[]): Promise<ServiceResult[]> {
  if (verb === 'force-stop') return call(serviceForceStatus({ body: { ids } }));
  return call(serviceModifyStatus({ body: { ids, status: statusOf[verb] } }));
}

import { keepPreviousData } from '@tanstack/react-query';
import {
  call,
  networkRoutePage,
  networkRoutePageUsers,
  type RoutePageRequest,
  type RouteUserPageRequest,
} from '@/shared/api';
import { useLive } from '@/shared/hooks/use-live';
import { useRefreshing } from '@/shared/hooks/use-refreshing';

export const NETWORK = 'system/network-configuration';

const refreshed = [['network-route']];

/** Everything that is shown of routes is asked for again after something was done. */
export function useRefresh(): () => Promise<unknown> {
  return useRefreshing(refreshed);
}

export function useRoutes(body: RoutePageRequest) {
  return useLive({
    queryKey: ['network-route', 'page', body],
    topics: ['call'],
    queryFn: ({ signal }) => call(networkRoutePage({ body, signal })),
    placeholderData: keepPreviousData,
  });
}

/** Every route that the filter leaves, sorted as the list is. */
export async function allRoutes(body: RoutePageRequest) {
  return (await call(networkRoutePage({ body: { ...body, current: 1, size: -1 } }))).records;
}

export function useUsers(body: RouteUserPageRequest) {
  return useLive({
    queryKey: ['network-route', 'users', body],
    topics: ['call'],
    queryFn: ({ signal }) => call(networkRoutePageUsers({ body, signal })),
    placeholderData: keepPreviousData,
  });
}

/** Every connection of a route that the filter leaves, sorted as the list is. */
export async function allUsers(body: RouteUserPageRequest) {
  return (await call(networkRoutePageUsers({ body: { ...body, current: 1, size: -1 } }))).records;
}

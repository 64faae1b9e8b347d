import { keepPreviousData } from '@tanstack/react-query';
import { audited, type CacheRecord, cacheClear, cachePage, call } from '@/shared/api';
import { useLive } from '@/shared/hooks/use-live';
import { useRefreshing } from '@/shared/hooks/use-refreshing';
import type { TableRequest } from '@/shared/ui/data-table';

const CACHES = ['cache'];
const refreshed = [CACHES];

/** Milliseconds between two looks: figures of caches change with every call, and no work waits for them. */
const INTERVAL = 10_000;

export function useCaches(body: TableRequest & { search: string }) {
  return useLive({
    queryKey: [...CACHES, body],
    queryFn: ({ signal }) => call(cachePage({ body, signal })),
    placeholderData: keepPreviousData,
    interval: INTERVAL,
  });
}

export async function allCaches(body: TableRequest & { search: string }): Promise<CacheRecord[]> {
  return (await call(cachePage({ body: { ...body, current: 1, size: -1 } }))).records;
}

/** Clears a cache; the number of removed entries. */
export async function clearCache(cache: CacheRecord): Promise<number> {
  return (await call(cacheClear({ body: { name: cache.name }, ...audited(cache) }))).removed;
}

export function useRefresh(): () => Promise<unknown> {
  return useRefreshing(refreshed);
}

import { type UseQueryOptions, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { markPolling } from '@/shared/api/polling';
import type { Topic } from '@/shared/live/socket';
import { useAnnounced } from '@/shared/live/topics';
import { usePageActive } from '@/shared/pages/page-context';

/** Milliseconds between two looks of a live page. */
export const LIVE_INTERVAL = 2000;

/** The same while changes of what it shows are announced (`topics`), and it looks again at once then. */
export const ANNOUNCED_INTERVAL = 10_000;

type ReadOptions<Data> = Pick<
  UseQueryOptions<Data>,
  'queryKey' | 'queryFn' | 'enabled' | 'placeholderData' | 'staleTime' | 'gcTime'
>;

/** Reads once when the page is opened or what is asked changes; stands still while the page's tab is in the back. */
export function useRead<Data>(options: ReadOptions<Data>): UseQueryResult<Data> {
  return useQuery({ ...options, subscribed: usePageActive() });
}

/**
 * Reads again and again while the page is in front. A look that fails keeps the last figures, marks them stale
 * (see LiveMark) and is tried again at the next interval.
 * `topics`: what the answer follows from; while their changes are announced, the interval only makes sure.
 */
export function useLive<Data>(
  options: ReadOptions<Data> & { interval?: number | false; topics?: readonly Topic[] },
): UseQueryResult<Data> {
  const { interval = LIVE_INTERVAL, topics, queryFn: look, ...read } = options;
  const isActive = usePageActive();
  const isAnnounced = useAnnounced(({ isLive }) => isLive) && topics !== undefined;
  return useQuery({
    ...read,
    queryFn:
      typeof look === 'function'
        ? (context) => {
            markPolling(context.signal);
            return look(context);
          }
        : look,
    subscribed: isActive,
    meta: { topics },
    refetchInterval:
      isActive && (isAnnounced && interval ? Math.max(interval, ANNOUNCED_INTERVAL) : interval),
    retry: false,
    staleTime: 0,
  });
}

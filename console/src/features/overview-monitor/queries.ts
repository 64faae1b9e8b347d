import { call, overviewMonitorGet, overviewMonitorHistory } from '@/shared/api';
import { useLive } from '@/shared/hooks/use-live';
import { replication } from '@/shared/live/topics';

/** Milliseconds where changes are not announced. A wall is read by the glance, and the past grows by a point a minute. */
const SCREEN_INTERVAL = 5000;
const HISTORY_INTERVAL = 30_000;

export function useScreen() {
  return useLive({
    queryKey: ['overview-monitor', 'screen'],
    topics: [...replication, 'alert'],
    queryFn: ({ signal }) => call(overviewMonitorGet({ signal })),
    interval: SCREEN_INTERVAL,
  });
}

export function useHistory() {
  return useLive({
    queryKey: ['overview-monitor', 'history'],
    queryFn: ({ signal }) => call(overviewMonitorHistory({ signal })),
    interval: HISTORY_INTERVAL,
  });
}

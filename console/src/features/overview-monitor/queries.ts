import { call, overviewMonitorGet, overviewMonitorHistory } from '@/shared/api';
import { useLive } from '@/shared/hooks/use-live';

/** Milliseconds. A wall is read by the glance, and the past grows by a point a minute. */
const SCREEN_INTERVAL = 5000;
const HISTORY_INTERVAL = 30_000;

export function useScreen() {
  return useLive({
    queryKey: ['overview-monitor', 'screen'],
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

import { keepPreviousData } from '@tanstack/react-query';
import { call, linkMonitorPage, type MonitorRecord } from '@/shared/api';
import { useLive } from '@/shared/hooks/use-live';
import { replication } from '@/shared/live/topics';
import type { TableRequest } from '@/shared/ui/data-table';
import type { StateFilter } from '@/shared/ui/list-state';

function asked(request: TableRequest, { search, state }: StateFilter) {
  return { ...request, search: search || null, state: state ? [state as MonitorRecord['state']] : null };
}

export function useMonitor(request: TableRequest, filter: StateFilter) {
  const body = asked(request, filter);
  return useLive({
    queryKey: ['link-monitor', 'page', body],
    topics: replication,
    queryFn: ({ signal }) => call(linkMonitorPage({ body, signal })),
    placeholderData: keepPreviousData,
  });
}

/** Every link that the filter leaves, sorted as the list is. */
export async function allMonitored(
  request: TableRequest,
  filter: StateFilter,
): Promise<readonly MonitorRecord[]> {
  const body = { ...asked(request, filter), current: 1, size: -1 };
  return (await call(linkMonitorPage({ body }))).records;
}

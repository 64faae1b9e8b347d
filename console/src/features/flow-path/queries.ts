import { keepPreviousData } from '@tanstack/react-query';
import { call, flowPathPage } from '@/shared/api';
import { useLive } from '@/shared/hooks/use-live';
import { replication } from '@/shared/live/topics';
import type { TableRequest } from '@/shared/ui/data-table';

export function useFlows(search: string, request: TableRequest) {
  const body = { ...request, search };
  return useLive({
    queryKey: ['flow-path', body],
    topics: replication,
    queryFn: ({ signal }) => call(flowPathPage({ body, signal })),
    placeholderData: keepPreviousData,
  });
}

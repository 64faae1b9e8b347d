import { keepPreviousData } from '@tanstack/react-query';
import { call, flowPathPage } from '@/shared/api';
import { useLive } from '@/shared/hooks/use-live';
import type { TableRequest } from '@/shared/ui/data-table';

export function useFlows(search: string, request: TableRequest) {
  const body = { ...request, search };
  return useLive({
    queryKey: ['flow-path', body],
    queryFn: ({ signal }) => call(flowPathPage({ body, signal })),
    placeholderData: keepPreviousData,
  });
}

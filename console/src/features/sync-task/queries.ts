import { keepPreviousData } from '@tanstack/react-query';
import { call, syncTaskGet, syncTaskPage, type TaskDetail, type TaskRecord } from '@/shared/api';
import { useLive } from '@/shared/hooks/use-live';
import type { TableRequest } from '@/shared/ui/data-table';

export interface TaskFilter {
  search: string;
  /** Empty: every state. */
  state: string;
}

export function useTasks(request: TableRequest, { search, state }: TaskFilter) {
  return useLive({
    queryKey: ['sync-task', 'page', request, search, state],
    queryFn: ({ signal }) =>
      call(
        syncTaskPage({
          body: {
            ...request,
            search: search || null,
            state: state ? [state as TaskRecord['state']] : null,
          },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  });
}

export function useTask(id: string) {
  return useLive<TaskDetail>({
    queryKey: ['sync-task', 'get', id],
    queryFn: ({ signal }) => call(syncTaskGet({ body: { id }, signal })),
    interval: 1000,
  });
}

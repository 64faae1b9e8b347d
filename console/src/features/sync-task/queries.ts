import { keepPreviousData } from '@tanstack/react-query';
import { call, syncTaskGet, syncTaskPage, type TaskDetail, type TaskRecord } from '@/shared/api';
import { useLive } from '@/shared/hooks/use-live';
import { replication } from '@/shared/live/topics';
import type { TableRequest } from '@/shared/ui/data-table';

export interface TaskFilter {
  search: string;
  /** Empty: every state. */
  state: string;
}

function asked(request: TableRequest, { search, state }: TaskFilter) {
  return { ...request, search: search || null, state: state ? [state as TaskRecord['state']] : null };
}

export function useTasks(request: TableRequest, filter: TaskFilter) {
  const body = asked(request, filter);
  return useLive({
    queryKey: ['sync-task', 'page', body],
    topics: replication,
    queryFn: ({ signal }) => call(syncTaskPage({ body, signal })),
    placeholderData: keepPreviousData,
  });
}

/** Every task that the filter leaves, sorted as the list is. */
export async function allTasks(request: TableRequest, filter: TaskFilter): Promise<readonly TaskRecord[]> {
  const body = { ...asked(request, filter), current: 1, size: -1 };
  return (await call(syncTaskPage({ body }))).records;
}

export function useTask(id: string) {
  return useLive<TaskDetail>({
    queryKey: ['sync-task', 'get', id],
    topics: replication,
    queryFn: ({ signal }) => call(syncTaskGet({ body: { id }, signal })),
  });
}

import { keepPreviousData } from '@tanstack/react-query';
import { call, type Envelope, type LinkRecord } from '@/shared/api';
import { client } from '@/shared/api/gen/client.gen';
import { useLive } from '@/shared/hooks/use-live';
import type { Page, TableRequest } from '@/shared/ui/data-table';

export interface TaskFilter {
  search: string;
  /** Empty: every state. */
  state: string;
}

export function useTasks(request: TableRequest, { search, state }: TaskFilter) {
  return useLive({
    queryKey: ['sync-task', 'page', request, search, state],
    queryFn: ({ signal }) =>
      call<Envelope<Page<TaskRecord>>>(
        client.post({
          url: '/api/zcbus/sync/task/page',
          body: {
            ...request,
            search: search || null,
            state: state ? [state as TaskRecord['state']] : null,
          },
          signal,
        }) as never,
      ),
    placeholderData: keepPreviousData,
  });
}

export function useTask(id: string) {
  return useLive<TaskDetail>({
    queryKey: ['sync-task', 'get', id],
    queryFn: ({ signal }) =>
      call<Envelope<TaskDetail>>(
        client.post({ url: '/api/zcbus/sync/task/get', body: { id }, signal }) as never,
      ),
    interval: 1000,
  });
}

export interface TaskRecord extends Omit<LinkRecord, 'taskId'> {
  linkId: string;
  rowsLoaded: number;
  rowsTotal: number;
}

export interface TaskDetail extends TaskRecord {
  milestones: {
    key: 'structure' | 'full' | 'incremental';
    state: 'waiting' | 'running' | 'done' | 'error';
    done: number;
    total: number;
  }[];
  inserts: number;
  updates: number;
  deletes: number;
  timeLeftMs: number | null;
}

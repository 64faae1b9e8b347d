import { keepPreviousData, useMutation, useQueryClient } from '@tanstack/react-query';
import {
  call,
  syncLinkDelete,
  syncLinkPause,
  syncLinkReloadTables,
  syncLinkResume,
  syncLinkResumeTables,
  syncLinkStart,
  syncLinkStop,
  syncLinkSuspendTables,
  syncTaskPageTables,
  type TaskTableRecord,
} from '@/shared/api';
import { useLive } from '@/shared/hooks/use-live';
import type { TableRequest } from '@/shared/ui/data-table';
import type { DeleteProof } from '@/shared/widgets/delete-confirm';

/** What a viewer can ask of a link; the server says which of them its state allows. */
export const linkVerbs = ['start', 'pause', 'resume', 'stop', 'delete'] as const;
export type LinkVerb = (typeof linkVerbs)[number];

export const tableVerbs = ['reload', 'suspend', 'resume'] as const;
export type TableVerb = (typeof tableVerbs)[number];

const linkCalls = {
  start: syncLinkStart,
  pause: syncLinkPause,
  resume: syncLinkResume,
  stop: syncLinkStop,
  delete: syncLinkDelete,
} as const;

const tableCalls = {
  reload: syncLinkReloadTables,
  suspend: syncLinkSuspendTables,
  resume: syncLinkResumeTables,
} as const;

/** Everything that is shown of links and tasks is asked for again after something was done to one of them. */
function useRefresh(): () => Promise<unknown> {
  const client = useQueryClient();
  return () =>
    Promise.all([
      client.invalidateQueries({ queryKey: ['sync-link'] }),
      client.invalidateQueries({ queryKey: ['sync-task'] }),
    ]);
}

/** Does something with one link and says afterwards what became of it. */
export function useLinkAction() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: ({ verb, ...body }: { verb: LinkVerb; id: string } & DeleteProof) =>
      call(linkCalls[verb]({ body })),
    onSettled: refresh,
  });
}

/** Does something with tables of a link, named as in the source. */
export function useTableAction(linkId: string) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: ({ verb, tables }: { verb: TableVerb; tables: string[] }) =>
      call(tableCalls[verb]({ body: { id: linkId, tables } })),
    onSettled: refresh,
  });
}

export interface TableFilter {
  search: string;
  /** Empty: every state. */
  state: string;
}

export function useTaskTables(taskId: string, request: TableRequest, { search, state }: TableFilter) {
  return useLive({
    queryKey: ['sync-task', 'tables', taskId, request, search, state],
    queryFn: ({ signal }) =>
      call(
        syncTaskPageTables({
          body: {
            id: taskId,
            ...request,
            search: search || null,
            state: state ? [state as TaskTableRecord['state']] : null,
          },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  });
}

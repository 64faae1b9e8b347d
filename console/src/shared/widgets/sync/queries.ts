import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import {
  audited,
  call,
  syncLinkAcceptGaps,
  syncLinkDelete,
  syncLinkFindIncremental,
  syncLinkFindNewTables,
  syncLinkPause,
  syncLinkReloadTables,
  syncLinkResetAndStartTables,
  syncLinkResetTables,
  syncLinkResume,
  syncLinkResumeTables,
  syncLinkStart,
  syncLinkStartIncremental,
  syncLinkStop,
  syncLinkSuspendTables,
  syncLinkTakeInTables,
  syncTaskPageTables,
  type TaskTableRecord,
} from '@/shared/api';
import { useLive } from '@/shared/hooks/use-live';
import { useRefreshing } from '@/shared/hooks/use-refreshing';
import { replication } from '@/shared/live/topics';
import type { TableRequest } from '@/shared/ui/data-table';
import { follow } from '@/shared/widgets/call-progress';
import type { DeleteProof } from '@/shared/widgets/delete-confirm';
import type { StartPosition } from './incremental-dialog';

/** What a viewer can ask of a link; the server says which of them its state allows. */
export const linkVerbs = ['start', 'pause', 'resume', 'stop', 'delete'] as const;
export type LinkVerb = (typeof linkVerbs)[number];

/** What is done to tables every day, and what is done to tables that stand still. */
export const tableVerbs = ['reload', 'suspend', 'resume'] as const;
export const furtherTableVerbs = ['accept-gap', 'reset-start', 'start-incremental', 'reset'] as const;
export type TableVerb = (typeof tableVerbs)[number] | (typeof furtherTableVerbs)[number];
export type PlainTableVerb = Exclude<TableVerb, 'start-incremental'>;

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
  reset: syncLinkResetTables,
  'reset-start': syncLinkResetAndStartTables,
  'accept-gap': syncLinkAcceptGaps,
} as const;

const refreshed = [['sync-link'], ['sync-task']];

/** Everything that is shown of links and tasks is asked for again after something was done to one of them. */
export function useRefresh(): () => Promise<unknown> {
  return useRefreshing(refreshed);
}

interface LinkAction extends DeleteProof {
  verb: LinkVerb;
  id: string;
  /** The state that it is asked in. */
  state: string;
}

/** Does something with one link and says afterwards what became of it. */
export function useLinkAction() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: ({ verb, state, ...body }: LinkAction) =>
      call(linkCalls[verb]({ body, ...audited({ state }, verb === 'delete' ? null : { asked: verb }) })),
    meta: { asked: ({ verb }: LinkAction) => (verb === 'delete' ? 'delete' : 'status') },
    onSettled: refresh,
  });
}

type StandingTable = Pick<TaskTableRecord, 'source' | 'state'>;

function standing(tables: readonly StandingTable[]) {
  return tables.map(({ source, state }) => ({ source, state }));
}

/** Does something with tables of a link. */
export function useTableAction(linkId: string) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: ({ verb, tables }: { verb: PlainTableVerb; tables: readonly StandingTable[] }) =>
      call(
        tableCalls[verb]({
          body: { id: linkId, tables: tables.map(({ source }) => source) },
          ...audited(standing(tables), { asked: verb }),
        }),
      ),
    meta: { asked: 'status' },
    onSettled: refresh,
  });
}

/** Continues every table of a link that lacks changes. */
export function useAcceptAllGaps(linkId: string) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: () => call(syncLinkAcceptGaps({ body: { id: linkId } })),
    meta: { asked: 'status' },
    onSettled: refresh,
  });
}

/** Tables of the source that a link could add; read each time the dialog opens. */
export function useNewTables(linkId: string) {
  return useQuery({
    queryKey: ['sync-link', 'new-tables', linkId],
    queryFn: ({ signal }) => call(syncLinkFindNewTables({ body: { id: linkId }, signal })),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Lets a link carry further tables of its source. */
export function useTakeIn(linkId: string, title: string) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (tables: string[]) =>
      follow(title, (headers) => call(syncLinkTakeInTables({ body: { id: linkId, tables }, headers }))),
    meta: { asked: 'submit' },
    onSuccess: refresh,
  });
}

/** Finding a place among the changes of a link's tables, and letting them begin there. */
export function useIncrementalCalls(linkId: string) {
  const refresh = useRefresh();
  return (tables: readonly StandingTable[]) => {
    const choice = { id: linkId, tables: tables.map(({ source }) => source) };
    return {
      find: (place: StartPosition) => call(syncLinkFindIncremental({ body: { ...choice, ...place } })),
      start: (place: StartPosition & { hold: boolean }) =>
        call(syncLinkStartIncremental({ body: { ...choice, ...place } })).finally(refresh),
    };
  };
}

export interface TableFilter {
  search: string;
  /** Empty: every state. */
  state: string;
}

export function useTaskTables(taskId: string, request: TableRequest, { search, state }: TableFilter) {
  return useLive({
    queryKey: ['sync-task', 'tables', taskId, request, search, state],
    topics: replication,
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

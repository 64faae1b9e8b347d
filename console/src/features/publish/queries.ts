import { keepPreviousData, useMutation } from '@tanstack/react-query';
import {
  audited,
  call,
  type NodeInfo,
  type NodeRecord,
  type PublishedRecord,
  publishAddNode,
  publishAddTables,
  publishDeleteNode,
  publishDescribeTable,
  publishEditNode,
  publishGetNodeInfo,
  publishListTopics,
  publishListVersions,
  publishPageCandidates,
  publishPageNodes,
  publishPageTables,
  publishPublishAgain,
  publishRetryTables,
  publishSetKey,
  publishStartNode,
  publishStopNode,
  publishStopTables,
  publishWithdrawTables,
  type TableToAdd,
} from '@/shared/api';
import { useLive, useRead } from '@/shared/hooks/use-live';
import { useRefreshing } from '@/shared/hooks/use-refreshing';
import { replication } from '@/shared/live/topics';
import type { TableRequest } from '@/shared/ui/data-table';
import { follow } from '@/shared/widgets/call-progress';
import type { DeleteProof } from '@/shared/widgets/delete-confirm';

export type AddNode = Parameters<typeof publishAddNode>[0]['body'];
export type EditNode = Parameters<typeof publishEditNode>[0]['body'];

export interface StateFilter {
  search: string;
  /** Empty: every state. */
  state: string;
}

const nodeCalls = { start: publishStartNode, stop: publishStopNode } as const;
export const tableVerbs = ['publish-again', 'retry', 'stop', 'withdraw'] as const;
export type TableVerb = (typeof tableVerbs)[number];
const tableCalls = {
  'publish-again': publishPublishAgain,
  retry: publishRetryTables,
  stop: publishStopTables,
  withdraw: publishWithdrawTables,
} as const;

function nodesAsked(request: TableRequest, { search, state }: StateFilter) {
  return { ...request, search, state: state ? [state as NodeRecord['state']] : [] };
}

export function useNodePage(request: TableRequest, filter: StateFilter) {
  const body = nodesAsked(request, filter);
  return useLive({
    queryKey: ['publish', 'nodes', body],
    topics: replication,
    queryFn: ({ signal }) => call(publishPageNodes({ body, signal })),
    placeholderData: keepPreviousData,
  });
}

/** Every node that the filter leaves, sorted as the list is. */
export async function allNodes(request: TableRequest, filter: StateFilter): Promise<readonly NodeRecord[]> {
  const body = { ...nodesAsked(request, filter), current: 1, size: -1 };
  return (await call(publishPageNodes({ body }))).records;
}

export function useNode(nodeMaster: string) {
  return useLive<NodeInfo>({
    queryKey: ['publish', 'node', nodeMaster],
    topics: replication,
    queryFn: ({ signal }) => call(publishGetNodeInfo({ body: { nodeMaster }, signal })),
  });
}

/** A node's settings, read once: what is typed into a form must not change under the hand. */
export function useNodeSettings(nodeMaster: string) {
  return useRead<NodeInfo>({
    queryKey: ['publish', 'settings', nodeMaster],
    queryFn: ({ signal }) => call(publishGetNodeInfo({ body: { nodeMaster }, signal })),
    enabled: nodeMaster !== '',
    gcTime: 0,
  });
}

function tablesAsked(nodeMaster: string, request: TableRequest, { search, state }: StateFilter) {
  return {
    nodeMaster,
    ...request,
    search,
    state: state ? [state as PublishedRecord['state']] : [],
  };
}

export function usePublishedTables(nodeMaster: string, request: TableRequest, filter: StateFilter) {
  const body = tablesAsked(nodeMaster, request, filter);
  return useLive({
    queryKey: ['publish', 'tables', body],
    topics: replication,
    queryFn: ({ signal }) => call(publishPageTables({ body, signal })),
    placeholderData: keepPreviousData,
  });
}

/** Every table of the node that the filter leaves, sorted as the list is. */
export async function allPublishedTables(
  nodeMaster: string,
  request: TableRequest,
  filter: StateFilter,
): Promise<readonly PublishedRecord[]> {
  const body = { ...tablesAsked(nodeMaster, request, filter), current: 1, size: -1 };
  return (await call(publishPageTables({ body }))).records;
}

export interface CandidateFilter {
  search: string;
  /** `yes`, `no`, or empty for both. */
  hasKey: string;
}

function candidatesAsked(nodeMaster: string, { search, hasKey }: CandidateFilter) {
  return {
    nodeMaster,
    published: false,
    search: search || null,
    hasKey: hasKey === '' ? null : hasKey === 'yes',
  };
}

/** Tables of the node's database that it does not publish yet. */
export function useCandidates(nodeMaster: string, request: TableRequest, filter: CandidateFilter) {
  const body = { ...candidatesAsked(nodeMaster, filter), ...request };
  return useRead({
    queryKey: ['publish', 'candidates', body],
    queryFn: ({ signal }) => call(publishPageCandidates({ body, signal })),
    placeholderData: keepPreviousData,
  });
}

/** All of them that a filter matches, on all pages. */
export async function matchingCandidates(nodeMaster: string, filter: CandidateFilter) {
  const body = { ...candidatesAsked(nodeMaster, filter), size: -1 };
  return (await call(publishPageCandidates({ body }))).records;
}

export function useTopics(nodeMaster: string, table?: string) {
  return useLive({
    queryKey: ['publish', 'topics', nodeMaster, table],
    queryFn: ({ signal }) => call(publishListTopics({ body: { nodeMaster, table: table ?? null }, signal })),
    interval: 10_000,
  });
}

export function useVersions(nodeMaster: string, table: string) {
  return useLive({
    queryKey: ['publish', 'versions', nodeMaster, table],
    topics: ['table', 'call'],
    queryFn: ({ signal }) => call(publishListVersions({ body: { nodeMaster, table }, signal })),
    interval: 10_000,
  });
}

export function useTableColumns(nodeMaster: string, table: string) {
  return useRead({
    queryKey: ['publish', 'columns', nodeMaster, table],
    queryFn: ({ signal }) => call(publishDescribeTable({ body: { nodeMaster, table }, signal })),
  });
}

const refreshed = [['publish']];

/** Everything that is shown of publishing is asked for again after something was done. */
function useRefresh(): () => Promise<unknown> {
  return useRefreshing(refreshed);
}

export function useNodeAction() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: ({ verb, nodeMaster }: { verb: 'start' | 'stop'; nodeMaster: string }) =>
      call(nodeCalls[verb]({ body: { nodeMaster } })),
    meta: { asked: 'status' },
    onSettled: refresh,
  });
}

export function useNodeDeletion() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (body: { nodeMaster: string } & DeleteProof) => call(publishDeleteNode({ body })),
    meta: { asked: 'delete' },
    onSettled: refresh,
  });
}

export function useNodeCreation() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (body: AddNode) => call(publishAddNode({ body })),
    // The form shows it, at the field or below the form.
    meta: { quiet: true },
    onSettled: refresh,
  });
}

export function useNodeChange(before: NodeInfo | undefined) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (body: EditNode) => {
      // The password stays out of the audit's hints.
      const recorded = { ...body, connection: { ...body.connection, password: undefined } };
      return call(publishEditNode({ body, ...audited(before, recorded) }));
    },
    meta: { quiet: true },
    onSettled: refresh,
  });
}

/** `title`: name of the action in the progress dialog. */
export function useTablesAddition(nodeMaster: string, title: string) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: ({ tables, full }: { tables: TableToAdd[]; full: boolean }) =>
      follow(title, (headers) => call(publishAddTables({ body: { nodeMaster, tables, full }, headers }))),
    meta: { asked: 'submit' },
    onSettled: refresh,
  });
}

export function useTableAction(nodeMaster: string) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: ({ verb, tables }: { verb: TableVerb; tables: string[] }) =>
      call(tableCalls[verb]({ body: { nodeMaster, tables } })),
    meta: { asked: 'status' },
    onSettled: refresh,
  });
}

export function useKeyChange(nodeMaster: string) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (body: { table: string; key: string[]; appendOnly: boolean }) =>
      call(publishSetKey({ body: { nodeMaster, ...body } })),
    meta: { asked: 'modify' },
    onSettled: refresh,
  });
}

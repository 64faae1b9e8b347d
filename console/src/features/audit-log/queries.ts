import { keepPreviousData } from '@tanstack/react-query';
import {
  auditStreamListStreams,
  call,
  type OperationRecord,
  operationLogGet,
  operationLogGetProof,
  operationLogListActions,
  operationLogPage,
  operationLogPageSignIns,
} from '@/shared/api';
import { useLive, useRead } from '@/shared/hooks/use-live';
import { useRefreshing } from '@/shared/hooks/use-refreshing';
import type { TableRequest } from '@/shared/ui/data-table';

/** An empty field does not narrow the list. */
export interface OperationFilter {
  search: string;
  user: string;
  kind: string;
  action: string;
  result: string;
  since: string;
  until: string;
}

export type SignInFilter = Pick<OperationFilter, 'search' | 'result' | 'since' | 'until'>;

function asked(
  request: TableRequest,
  { search, result, ...filter }: SignInFilter & Partial<OperationFilter>,
) {
  const given = Object.entries(filter).filter(([, value]) => value !== '');
  return {
    ...request,
    search,
    result: (result || null) as OperationRecord['result'] | null,
    ...Object.fromEntries(given),
  };
}

/** The operation log by page. It does not refresh by itself: a log that moves cannot be read. */
export function useOperations(request: TableRequest, filter: OperationFilter) {
  const body = asked(request, filter);
  return useRead({
    queryKey: ['operation-log', 'page', body],
    queryFn: ({ signal }) => call(operationLogPage({ body, signal })),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}

/** Every record that the filter leaves, sorted as the list is. */
export async function allOperations(request: TableRequest, filter: OperationFilter) {
  const body = { ...asked(request, filter), current: 1, size: -1 };
  return (await call(operationLogPage({ body }))).records;
}

/** The login log by page; it does not refresh by itself either. */
export function useSignIns(request: TableRequest, filter: SignInFilter) {
  const body = asked(request, filter);
  return useRead({
    queryKey: ['operation-log', 'sign-ins', body],
    queryFn: ({ signal }) => call(operationLogPageSignIns({ body, signal })),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}

/** Every sign-in that the filter leaves, sorted as the list is. */
export async function allSignIns(request: TableRequest, filter: SignInFilter) {
  const body = { ...asked(request, filter), current: 1, size: -1 };
  return (await call(operationLogPageSignIns({ body }))).records;
}

export function useOperation(id: string) {
  return useRead({
    queryKey: ['operation-log', 'get', id],
    queryFn: ({ signal }) => call(operationLogGet({ body: { id }, signal })),
  });
}

/** Every action by the kind of object it acts on; titles are in the viewer's language. */
export function useActionKinds(language: string) {
  return useRead({
    queryKey: ['operation-log', 'actions', language],
    queryFn: ({ signal }) => call(operationLogListActions({ signal })),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

const PROOF = ['operation-log', 'proof'];
const refreshed = [PROOF, ['operation-log']];

/** What the last verification of the log's chain proved. */
export function useProof() {
  return useLive({
    queryKey: PROOF,
    topics: ['call'],
    queryFn: ({ signal }) => call(operationLogGetProof({ body: {}, signal })),
  });
}

/** Receivers of the log outside of the platform. */
export function useStreams() {
  return useLive({
    queryKey: ['operation-log', 'streams'],
    topics: ['call'],
    queryFn: ({ signal }) => call(auditStreamListStreams({ body: {}, signal })),
  });
}

export function useRefreshProof(): () => Promise<unknown> {
  return useRefreshing(refreshed);
}

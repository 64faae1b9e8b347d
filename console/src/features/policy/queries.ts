import { keepPreviousData } from '@tanstack/react-query';
import {
  type ComparisonRequest,
  call,
  type DistributionRequest,
  type PolicyDeliveryPageRequest,
  type PolicyPageRequest,
  policyCompareVersions,
  policyGetPolicy,
  policyPageCandidates,
  policyPageDeliveries,
  policyPagePolicies,
  policyPageSheet,
  policyPageVersions,
  policyPreviewDistribution,
  publishPageNodes,
  subscribePageChannels,
  subscribePageMasters,
} from '@/shared/api';
import { useLive, useRead } from '@/shared/hooks/use-live';
import { useRefreshing } from '@/shared/hooks/use-refreshing';
import type { TableRequest } from '@/shared/ui/data-table';

export const DEFINE = 'policy/define';
export const DISTRIBUTE = 'policy/distribute';

const ALL = -1;
const refreshed = [['policy'], ['selection', 'strategies']];

/** Everything that is shown of policies is asked for again after something was done. */
export function useRefresh(): () => Promise<unknown> {
  return useRefreshing(refreshed);
}

export function usePolicies(body: PolicyPageRequest) {
  return useLive({
    queryKey: ['policy', 'policies', body],
    topics: ['call'],
    queryFn: ({ signal }) => call(policyPagePolicies({ body, signal })),
    placeholderData: keepPreviousData,
  });
}

/** Every policy that the filter leaves, sorted as the list is. */
export async function allPolicies(body: PolicyPageRequest) {
  return (await call(policyPagePolicies({ body: { ...body, current: 1, size: ALL } }))).records;
}

export function usePolicyChoice() {
  return useRead({
    queryKey: ['policy', 'policies', 'choice'],
    queryFn: ({ signal }) =>
      call(policyPagePolicies({ body: { size: ALL, sort: 'productName', order: 'asc' }, signal })),
  });
}

export function usePolicy(id: string) {
  return useRead({
    queryKey: ['policy', 'policy', id],
    queryFn: ({ signal }) => call(policyGetPolicy({ body: { id }, signal })),
    enabled: id !== '',
  });
}

export function useVersions(id: string, request: TableRequest) {
  return useRead({
    queryKey: ['policy', 'versions', id, request],
    queryFn: ({ signal }) => call(policyPageVersions({ body: { ...request, id }, signal })),
    placeholderData: keepPreviousData,
  });
}

/** The versions of a policy, the newest first. */
export function useVersionChoice(id: string | undefined) {
  return useRead({
    queryKey: ['policy', 'versions', id, 'choice'],
    queryFn: ({ signal }) => call(policyPageVersions({ body: { id: id ?? '', size: ALL }, signal })),
    enabled: id !== undefined && id !== '',
  });
}

export function useDifference(body: ComparisonRequest) {
  return useRead({
    queryKey: ['policy', 'difference', body],
    queryFn: ({ signal }) => call(policyCompareVersions({ body, signal })),
  });
}

export function useSheet(id: string, version: number | null, search: string, request: TableRequest) {
  return useRead({
    queryKey: ['policy', 'sheet', id, version, search, request],
    queryFn: ({ signal }) => call(policyPageSheet({ body: { ...request, id, version, search }, signal })),
    placeholderData: keepPreviousData,
    enabled: id !== '',
  });
}

/** Every table that the search leaves. */
export async function allTables(id: string, version: number | null, search: string) {
  return (await call(policyPageSheet({ body: { id, version, search, size: ALL } }))).records;
}

export function useCandidates(id: string, search: string, request: TableRequest) {
  return useRead({
    queryKey: ['policy', 'candidates', id, search, request],
    queryFn: ({ signal }) => call(policyPageCandidates({ body: { ...request, id, search }, signal })),
    placeholderData: keepPreviousData,
  });
}

/** Every table that could be added and that the search leaves. */
export async function allCandidates(id: string, search: string) {
  return (await call(policyPageCandidates({ body: { id, search, size: ALL } }))).records;
}

/** Publish nodes that no sync link steers. */
export function useNodeChoice() {
  return useRead({
    queryKey: ['policy', 'nodes'],
    queryFn: ({ signal }) =>
      call(publishPageNodes({ body: { size: ALL, sort: 'name', order: 'asc' }, signal })),
  });
}

export function useDeliveries(body: PolicyDeliveryPageRequest) {
  return useLive({
    queryKey: ['policy', 'deliveries', body],
    topics: ['table', 'call'],
    queryFn: ({ signal }) => call(policyPageDeliveries({ body, signal })),
    placeholderData: keepPreviousData,
  });
}

/** Every delivery that the filter leaves, sorted as the list is. */
export async function allDeliveries(body: PolicyDeliveryPageRequest) {
  return (await call(policyPageDeliveries({ body: { ...body, current: 1, size: ALL } }))).records;
}

/** Masters that receive a node's tables. */
export function useMasterChoice(nodeMaster: string | undefined) {
  return useRead({
    queryKey: ['policy', 'masters', nodeMaster],
    queryFn: ({ signal }) =>
      call(subscribePageMasters({ body: { nodeMaster: nodeMaster ?? '', size: ALL }, signal })),
    enabled: nodeMaster !== undefined,
  });
}

export function useChannelChoice(controlId: string | undefined) {
  return useRead({
    queryKey: ['policy', 'channels', controlId],
    queryFn: ({ signal }) =>
      call(subscribePageChannels({ body: { controlId: controlId ?? '', size: ALL }, signal })),
    enabled: controlId !== undefined,
  });
}

/** What a distribution would change; asked for when the viewer says so. */
export function usePreview(body: DistributionRequest | undefined) {
  return useRead({
    queryKey: ['policy', 'preview', body],
    queryFn: ({ signal }) => call(policyPreviewDistribution({ body: body as DistributionRequest, signal })),
    enabled: body !== undefined,
    // The state of the customers' databases is requested each time.
    gcTime: 0,
  });
}

import { keepPreviousData } from '@tanstack/react-query';
import {
  type BackfillInput,
  call,
  type PlanPageRequest,
  policyPagePolicies,
  policyPageVersions,
  type RunPageRequest,
  type RunTableRequest,
  type ScheduleInput,
  sqlListDatabases,
  sqlPage,
  subscribePageMasters,
  syncLinkPage,
  syncLinkStatus,
  taskPlanGetRun,
  taskPlanPagePlans,
  taskPlanPageRuns,
  taskPlanPageRunTables,
  taskPlanPreview,
  taskPlanPreviewBackfill,
} from '@/shared/api';
import { useLive, useRead } from '@/shared/hooks/use-live';
import { useRefreshing } from '@/shared/hooks/use-refreshing';

export const TASK = 'task';

const refreshed = [['task-plan']];

/** Everything that is shown of plans is asked for again after something was done. */
export function useRefresh(): () => Promise<unknown> {
  return useRefreshing(refreshed);
}

export function usePlans(body: PlanPageRequest) {
  return useLive({
    queryKey: ['task-plan', 'plans', body],
    topics: ['plan', 'call'],
    queryFn: ({ signal }) => call(taskPlanPagePlans({ body, signal })),
    placeholderData: keepPreviousData,
  });
}

/** Every plan that the filter leaves, sorted as the list is. */
export async function allPlans(body: PlanPageRequest) {
  return (await call(taskPlanPagePlans({ body: { ...body, current: 1, size: -1 } }))).records;
}

export function useRuns(body: RunPageRequest) {
  return useLive({
    queryKey: ['task-plan', 'runs', body],
    topics: ['plan', 'call'],
    queryFn: ({ signal }) => call(taskPlanPageRuns({ body, signal })),
    placeholderData: keepPreviousData,
  });
}

/** Every run that the filter leaves, sorted as the list is. */
export async function allRuns(body: RunPageRequest) {
  return (await call(taskPlanPageRuns({ body: { ...body, current: 1, size: -1 } }))).records;
}

export function useRun(id: string) {
  return useLive({
    queryKey: ['task-plan', 'run', id],
    topics: ['plan', 'call'],
    queryFn: ({ signal }) => call(taskPlanGetRun({ body: { id }, signal })),
  });
}

export function useRunTables(body: RunTableRequest) {
  return useLive({
    queryKey: ['task-plan', 'run-tables', body],
    topics: ['plan', 'call'],
    queryFn: ({ signal }) => call(taskPlanPageRunTables({ body, signal })),
    placeholderData: keepPreviousData,
  });
}

/** The next due times as the server will make them; nothing is asked before the schedule is whole. */
export function usePreview(schedule: ScheduleInput | undefined) {
  return useRead({
    queryKey: ['task-plan', 'preview', schedule],
    queryFn: ({ signal }) => call(taskPlanPreview({ body: schedule as ScheduleInput, signal })),
    enabled: schedule !== undefined,
    placeholderData: keepPreviousData,
  });
}

/** Past due times that nothing was run for; nothing is asked before the range is whole. */
export function useBackfillPreview(body: BackfillInput | undefined) {
  return useRead({
    queryKey: ['task-plan', 'backfill', body],
    queryFn: ({ signal }) => call(taskPlanPreviewBackfill({ body: body as BackfillInput, signal })),
    enabled: body !== undefined,
  });
}

/** Plans that another one can follow. */
export function usePlanChoice() {
  return useRead({
    queryKey: ['task-plan', 'plans', 'choice'],
    queryFn: ({ signal }) =>
      call(taskPlanPagePlans({ body: { size: -1, sort: 'name', order: 'asc' }, signal })),
  });
}

export function usePolicyChoice() {
  return useRead({
    queryKey: ['task-plan', 'policies'],
    queryFn: ({ signal }) =>
      call(policyPagePolicies({ body: { size: -1, sort: 'productName', order: 'asc' }, signal })),
  });
}

/** Versions of a policy, the newest first. */
export function useVersionChoice(policy: string | undefined) {
  return useRead({
    queryKey: ['task-plan', 'policy-versions', policy],
    queryFn: ({ signal }) => call(policyPageVersions({ body: { id: policy ?? '', size: -1 }, signal })),
    enabled: Boolean(policy),
  });
}

/** Customers' masters that receive a node's tables. */
export function useMasterChoice(nodeMaster: string | null | undefined) {
  return useRead({
    queryKey: ['task-plan', 'masters', nodeMaster],
    queryFn: ({ signal }) =>
      call(subscribePageMasters({ body: { nodeMaster: nodeMaster ?? '', size: -1 }, signal })),
    enabled: Boolean(nodeMaster),
  });
}

export function useLinkChoice() {
  return useRead({
    queryKey: ['task-plan', 'links'],
    queryFn: ({ signal }) => call(syncLinkPage({ body: { size: -1, sort: 'name', order: 'asc' }, signal })),
  });
}

/** Source names of a link's tables. */
export function useTableChoice(link: string | undefined) {
  return useRead({
    queryKey: ['task-plan', 'tables', link],
    queryFn: ({ signal }) => call(syncLinkStatus({ body: { id: link as string }, signal })),
    enabled: link !== undefined,
  });
}

/** Statements of SQL management that a plan can run. */
export function useSqlChoice() {
  return useRead({
    queryKey: ['task-plan', 'sql'],
    queryFn: ({ signal }) => call(sqlPage({ body: { size: -1, sort: 'description', order: 'asc' }, signal })),
  });
}

/** Stored databases that a statement can run against. */
export function useDatabaseChoice() {
  return useRead({
    queryKey: ['task-plan', 'databases'],
    queryFn: ({ signal }) => call(sqlListDatabases({ signal })),
  });
}

import { keepPreviousData } from '@tanstack/react-query';
import {
  alertRuleListMetrics,
  alertRulePage,
  alertRulePageSubjects,
  call,
  containerListServices,
  type RulePageRequest,
  type RuleSubjectPageRequest,
  syncLinkPage,
} from '@/shared/api';
import { useLive, useRead } from '@/shared/hooks/use-live';
import { useRefreshing } from '@/shared/hooks/use-refreshing';

export const RULES = 'system/alert-rule';
const ALL = -1;

const refreshed = [['alert-rule'], ['alert']];

/** Everything that is shown of rules and alerts is asked for again after something was done. */
export function useRefresh(): () => Promise<unknown> {
  return useRefreshing(refreshed);
}

export function useRules(body: RulePageRequest) {
  return useLive({
    queryKey: ['alert-rule', 'page', body],
    topics: ['alert', 'call'],
    queryFn: ({ signal }) => call(alertRulePage({ body, signal })),
    placeholderData: keepPreviousData,
  });
}

/** Every rule that the filter leaves, sorted as the list is. */
export async function allRules(body: RulePageRequest) {
  return (await call(alertRulePage({ body: { ...body, current: 1, size: ALL } }))).records;
}

export function useSubjects(body: RuleSubjectPageRequest) {
  return useLive({
    queryKey: ['alert-rule', 'subjects', body],
    topics: ['alert', 'call'],
    queryFn: ({ signal }) => call(alertRulePageSubjects({ body, signal })),
    placeholderData: keepPreviousData,
  });
}

/** Every subject that the filter leaves, sorted as the list is. */
export async function allSubjects(body: RuleSubjectPageRequest) {
  return (await call(alertRulePageSubjects({ body: { ...body, current: 1, size: ALL } }))).records;
}

export function useMetrics() {
  return useRead({
    queryKey: ['alert-rule', 'metrics'],
    queryFn: ({ signal }) => call(alertRuleListMetrics({ signal })),
  });
}

/** Links that a rule can be about. */
export function useLinks() {
  return useRead({
    queryKey: ['alert-rule', 'links'],
    queryFn: ({ signal }) => call(syncLinkPage({ body: { size: ALL }, signal })),
  });
}

/** Services that a rule can be about. */
export function useServices() {
  return useRead({
    queryKey: ['alert-rule', 'services'],
    queryFn: ({ signal }) => call(containerListServices({ body: {}, signal })),
  });
}

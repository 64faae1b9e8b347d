import { keepPreviousData } from '@tanstack/react-query';
import {
  call,
  reconciliationListMinutes,
  reconciliationPage,
  type TopicFlowGrouping,
  type TopicFlowState,
} from '@/shared/api';
import { useLive } from '@/shared/hooks/use-live';
import type { TableRequest } from '@/shared/ui/data-table';
import { isLive, type RangeState, SPANS, spanOf } from '@/shared/widgets/metrics/range';

/** What is counted comes so often, in milliseconds. */
const INTERVAL = 10_000;

export const FLOW_GROUPINGS = ['channel', 'table'] as const satisfies readonly TopicFlowGrouping[];

export interface FlowFilter {
  search: string;
  by: string;
  state: string;
}

export function flowGroupingOf(by: string): TopicFlowGrouping {
  return FLOW_GROUPINGS.find((known) => known === by) ?? 'channel';
}

function period(range: RangeState) {
  const to = isLive(range) ? Date.now() : range.to;
  const from = isLive(range) ? to - SPANS[spanOf(range.range)] * 1000 : range.from;
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
}

function asked({ search, by, state }: FlowFilter, range: RangeState) {
  return {
    search,
    by: flowGroupingOf(by),
    state: (state || null) as TopicFlowState | null,
    ...period(range),
  };
}

/** What became of published changes, by page. */
export function useFlows(request: TableRequest, filter: FlowFilter, range: RangeState) {
  return useLive({
    queryKey: ['reconciliation', 'page', request, filter, range],
    queryFn: ({ signal }) =>
      call(reconciliationPage({ body: { ...request, ...asked(filter, range) }, signal })),
    placeholderData: keepPreviousData,
    interval: INTERVAL,
  });
}

/** Everything that the filter leaves, sorted as the list is. */
export async function allFlows(request: TableRequest, filter: FlowFilter, range: RangeState) {
  const body = { ...request, ...asked(filter, range), current: 1, size: -1 };
  return (await call(reconciliationPage({ body }))).records;
}

/** The minutes of a channel or a table. `all`: also those without changes. */
export function useFlowMinutes(
  request: TableRequest,
  of: { by: TopicFlowGrouping; id: string; all: boolean },
  range: RangeState,
) {
  return useLive({
    queryKey: ['reconciliation', 'minutes', request, of, range],
    queryFn: ({ signal }) =>
      call(reconciliationListMinutes({ body: { ...request, ...of, ...period(range) }, signal })),
    placeholderData: keepPreviousData,
    interval: INTERVAL,
  });
}

import { keepPreviousData } from '@tanstack/react-query';
import { call, type MetricSubject, type TimelineEntry, timelinePage } from '@/shared/api';
import { useLive } from '@/shared/hooks/use-live';
import type { Topic } from '@/shared/live/socket';
import type { TableRequest } from '@/shared/ui/data-table';

const SETTLED = 10_000;
/** What a timeline follows from. */
const topics: readonly Topic[] = ['link', 'service', 'table', 'call', 'alert'];

/** An empty field does not narrow the list. */
export interface TimelineFilter {
  search: string;
  kind: string;
  since: string;
  until: string;
}

function narrowed({ search, kind, since, until }: TimelineFilter) {
  return {
    search,
    kinds: kind ? [kind as TimelineEntry['kind']] : [],
    since: since || null,
    until: until || null,
  };
}

interface Subject {
  kind: MetricSubject;
  id: string;
}

/** What happened to a subject, by page. */
export function useTimeline(subject: Subject, request: TableRequest, filter: TimelineFilter) {
  const body = { ...request, ...narrowed(filter), ...subject };
  return useLive({
    queryKey: ['timeline', 'page', body],
    topics,
    queryFn: ({ signal }) => call(timelinePage({ body, signal })),
    placeholderData: keepPreviousData,
    interval: SETTLED,
  });
}

/** Everything that the filter leaves, sorted as the list is. */
export async function allEntries(subject: Subject, request: TableRequest, filter: TimelineFilter) {
  const body = { ...request, ...narrowed(filter), ...subject, current: 1, size: -1 };
  return (await call(timelinePage({ body }))).records;
}

/** More marks than that hide a chart. */
const MARKED = 200;

/** What happened from `since` on, until `until`; milliseconds since 1970. The newest, where there is much. */
export function useEvents({ kind, id }: Subject, since: number | undefined, until: number | undefined) {
  return useLive({
    queryKey: ['timeline', 'events', kind, id, since, until],
    topics,
    queryFn: ({ signal }) => {
      const range = { since: moment(since), until: moment(until) };
      return call(timelinePage({ body: { kind, id, size: MARKED, ...range }, signal }));
    },
    enabled: since !== undefined,
    placeholderData: keepPreviousData,
    interval: SETTLED,
  });
}

function moment(milliseconds: number | undefined): string | null {
  return milliseconds === undefined ? null : new Date(milliseconds).toISOString();
}

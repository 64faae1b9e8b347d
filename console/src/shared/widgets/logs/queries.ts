import { keepPreviousData } from '@tanstack/react-query';
import {
  call,
  type LogEntryRecord,
  type LogFind,
  logSearchAround,
  logSearchFind,
  logSearchPageSources,
} from '@/shared/api';
import { useLive, useRead } from '@/shared/hooks/use-live';
import type { LogLevel } from '@/shared/ui/log-viewer';
import { cancelledWith } from '../call-progress/cancelled';
import { askedRange, type RangeState } from '../metrics/range';
import { merged, newestOf } from './tail';

/** Whose logs: those of a link, or all that the viewer may see. */
export interface LogScope {
  linkId?: string;
}

/** What an entry must have; empty: anything. As it stands in the address. */
export interface LogFilter extends Record<string, string> {
  text: string;
  level: string;
  table: string;
  code: string;
  source: string;
  container: string;
}

export const noFilter: LogFilter = { text: '', level: '', table: '', code: '', source: '', container: '' };

/** The most that one search answers, and what a file gets. */
export const MOST_ENTRIES = 5000;
const SHOWN = 500;
// Hosts' clocks differ, and a line is written after its moment.
const LATE_MS = 5000;

function asked(scope: LogScope, { container, level, ...filter }: LogFilter, limit: number): LogFind {
  return {
    ...scope,
    ...filter,
    containerId: container,
    level: (level || 'debug') as LogLevel,
    limit,
  };
}

function find(body: LogFind, signal: AbortSignal) {
  return cancelledWith(signal, (headers) => call(logSearchFind({ body, signal, headers })));
}

/** The newest entries that match, with counts over time. It ends on the hosts when the page is left. */
export function useLogSearch(scope: LogScope, filter: LogFilter, range: RangeState) {
  const body = { ...asked(scope, filter, SHOWN), ...askedRange(range) };
  return useRead({
    queryKey: ['log-search', 'find', body],
    queryFn: ({ signal }) => find(body, signal),
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  });
}

/** Entries that came since `found`, behind those, while `isFollowing`; each look asks for the newest only. */
export function useFollowed(
  scope: LogScope,
  filter: LogFilter,
  found: readonly LogEntryRecord[] | undefined,
  isFollowing: boolean,
) {
  const body = asked(scope, filter, MOST_ENTRIES);
  const key = ['log-search', 'follow', body, newestOf(found ?? [])];
  return useLive<LogEntryRecord[]>({
    queryKey: key,
    queryFn: async ({ client, signal }) => {
      const known = client.getQueryData<LogEntryRecord[]>(key) ?? found ?? [];
      const now = Date.now();
      const since = Math.min(now - LATE_MS, newestOf(known) - LATE_MS || now);
      const range = {
        from: new Date(Math.max(since, now - 600_000)).toISOString(),
        to: new Date(now + 60_000).toISOString(),
      };
      const { entries } = await find({ ...body, ...range }, signal);
      return merged(known, entries, MOST_ENTRIES);
    },
    enabled: isFollowing && found !== undefined,
    gcTime: 0,
  });
}

/** All entries that match, as many as a search answers, for a file. */
export async function allEntries(scope: LogScope, filter: LogFilter, range: RangeState) {
  return call(logSearchFind({ body: { ...asked(scope, filter, MOST_ENTRIES), ...askedRange(range) } }));
}

/** An entry with those of its log before and behind it. */
export function useAround(entry: LogEntryRecord, lines: number) {
  const { kind, source, hostId, atUs } = entry;
  const body = { kind, source, hostId, atUs, before: lines, after: lines };
  return useRead({
    queryKey: ['log-search', 'around', body],
    queryFn: ({ signal }) => call(logSearchAround({ body, signal })),
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
}

/** Services and agents whose names hold a text. */
export function useLogSources(scope: LogScope, containerId: string, search: string) {
  const body = { ...scope, containerId, search, current: 1, size: 50, sort: 'name', order: 'asc' as const };
  return useRead({
    queryKey: ['log-search', 'sources', body],
    queryFn: ({ signal }) => call(logSearchPageSources({ body, signal })),
    placeholderData: keepPreviousData,
  });
}

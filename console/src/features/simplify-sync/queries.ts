import { keepPreviousData, useQueries } from '@tanstack/react-query';
import {
  call,
  type MatchPageRequest,
  type MatchRecord,
  type MatchState,
  type PageTreeRecord,
  simplifySyncPageMatches,
  simplifySyncPageSources,
  simplifySyncPageTargets,
  type TreeRequest,
} from '@/shared/api';
import { useRead } from '@/shared/hooks/use-live';
import type { TableRequest } from '@/shared/ui/data-table';
import type { StateFilter } from '@/shared/ui/list-state';

export type Side = 'source' | 'target';

/** What is matched: the ticked tables, the target's schema, and the rule for names. */
export type Wanted = Pick<MatchPageRequest, 'source' | 'leaveOut' | 'target' | 'names' | 'exact'>;

const DATABASES = 100;
export const SCHEMAS = 200;
export const TABLES = 100;

function entries(side: Side, body: TreeRequest) {
  const ask = side === 'source' ? simplifySyncPageSources : simplifySyncPageTargets;
  return {
    queryKey: ['simplify-sync', 'tree', side, body],
    queryFn: ({ signal }: { signal: AbortSignal }): Promise<PageTreeRecord> => call(ask({ body, signal })),
    staleTime: 30_000,
  };
}

export function useDatabases(side: Side, search: string) {
  const body = { parentIdIsNull: true, current: 1, size: DATABASES, search: search || null };
  return useRead<PageTreeRecord>({ ...entries(side, body), placeholderData: keepPreviousData });
}

export function useSchemas(side: Side, database: string | undefined, search: string) {
  const body = { id: database ?? null, current: 1, size: SCHEMAS, search: search || null };
  return useRead<PageTreeRecord>({ ...entries(side, body), enabled: database !== undefined });
}

/** The pages that are wanted of each schema's tables, in the order of `parts`. */
export function useTables(side: Side, parts: readonly { id: string; current: number }[], search: string) {
  return useQueries({
    queries: parts.map(({ id, current }) =>
      entries(side, { id, current, size: TABLES, search: search || null }),
    ),
  });
}

function asked(wanted: Wanted, request: TableRequest, { search, state }: StateFilter): MatchPageRequest {
  return { ...wanted, ...request, search: search || null, state: state ? [state as MatchState] : null };
}

export function useMatches(wanted: Wanted | undefined, request: TableRequest, filter: StateFilter) {
  return useRead({
    queryKey: ['simplify-sync', 'match', wanted, request, filter],
    queryFn: ({ signal }) =>
      call(simplifySyncPageMatches({ body: asked(wanted as Wanted, request, filter), signal })),
    enabled: wanted !== undefined,
    placeholderData: keepPreviousData,
  });
}

/** Every match that the filter leaves, sorted as the list is. */
export async function allMatches(
  wanted: Wanted,
  request: TableRequest,
  filter: StateFilter,
): Promise<readonly MatchRecord[]> {
  const body = { ...asked(wanted, request, filter), current: 1, size: -1 };
  return (await call(simplifySyncPageMatches({ body }))).records;
}

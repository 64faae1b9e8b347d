import type { PageQuery, TableRequest } from '@/shared/ui/data-table';

/** The part of a tree's rows that a table shows: a tree comes whole, so that nothing of it hangs in the air. */
export function pageOf<Row>(
  query: { data: unknown; error: Error | null; isFetching: boolean; refetch: () => unknown },
  rows: readonly Row[],
  { current, size }: TableRequest,
): PageQuery<Row> {
  const start = (current - 1) * size;
  const records = size < 0 ? rows : rows.slice(start, start + size);
  return {
    data: query.data === undefined ? undefined : { records, total: rows.length },
    error: query.error,
    isFetching: query.isFetching,
    refetch: query.refetch,
  };
}

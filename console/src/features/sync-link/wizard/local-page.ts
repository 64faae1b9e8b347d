import type { PageQuery, TableRequest } from '@/shared/ui/data-table';

/** The part of a list in the browser's memory that a table shows: searched and sorted by the row's text, then paged. */
export function localPage<Row>(
  rows: readonly Row[],
  request: TableRequest,
  search: string,
  text: (row: Row) => string,
): PageQuery<Row> {
  const wanted = search.toLowerCase();
  const found = wanted ? rows.filter((row) => text(row).toLowerCase().includes(wanted)) : [...rows];
  if (request.sort) {
    const direction = request.order === 'desc' ? -1 : 1;
    found.sort((a, b) => direction * text(a).localeCompare(text(b)));
  }
  const start = (request.current - 1) * request.size;
  return {
    data: { records: found.slice(start, start + request.size), total: found.length },
    error: null,
    isFetching: false,
  };
}

import type { PageQuery, TableRequest } from './types';

/** The rows in whose text the search is found; an empty search finds all. */
export function matching<Row>(rows: readonly Row[], search: string, text: (row: Row) => string): Row[] {
  const wanted = search.toLowerCase();
  return wanted ? rows.filter((row) => text(row).toLowerCase().includes(wanted)) : [...rows];
}

/** The part of a list in the browser's memory that a table shows: searched and sorted by the row's text, then paged. */
export function localPage<Row>(
  rows: readonly Row[],
  request: TableRequest,
  search: string,
  text: (row: Row) => string,
): PageQuery<Row> {
  const found = matching(rows, search, text);
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

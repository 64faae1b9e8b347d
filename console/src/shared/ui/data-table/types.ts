import type { ReactNode } from 'react';

export type SortOrder = 'desc' | 'asc';

export interface Column<Row> {
  /** Also the name that the server sorts by. */
  key: string;
  title: string;
  /** Pixels. A column without one shares the room that is left, never narrower than `minWidth`. */
  width?: number;
  minWidth?: number;
  /** Figures stand right, in tabular digits. */
  align?: 'left' | 'right' | 'center';
  sortable?: boolean;
  /** Stays in sight when the table is scrolled sideways. Needs `width`. */
  fixed?: 'left' | 'right';
  /** Cannot be hidden by the viewer. */
  essential?: boolean;
  render: (row: Row, index: number) => ReactNode;
}

/** What the contract's lists answer. */
export interface Page<Row> {
  records: readonly Row[];
  total: number;
}

/** The part of a query's result that a table needs; `useRead` and `useLive` answer it. */
export interface PageQuery<Row> {
  data: Page<Row> | undefined;
  error: Error | null;
  isFetching: boolean;
  /** Left out where the rows are in the browser's memory: there is nothing to ask again. */
  refetch?: () => unknown;
}

/** What a table asks for, as the contract's lists take it. */
export interface TableRequest {
  current: number;
  size: number;
  sort?: string;
  order?: SortOrder;
}

export interface TableState {
  request: TableRequest;
  setPage: (current: number, size: number) => void;
  setSort: (sort: string | undefined, order: SortOrder | undefined) => void;
  /** Back to the first page, e.g. after the filter changed. */
  toFirstPage: () => void;
}

import type { ReactNode } from 'react';

export type SortOrder = 'desc' | 'asc';

/** A choice in a column's head; what is chosen narrows the list on the server. */
export interface ColumnFilter {
  /** The first one usually stands for "all", with an empty value. */
  options: readonly { value: string; label: string }[];
  value: string;
  onChange: (value: string) => void;
}

/** What a cell says in a file: figures stay figures there. */
export type PlainValue = string | number | boolean | null | undefined;

/**
 * A column is a field of its record, whose name the server also sorts by. One that has another name, or is made of
 * several fields or of none, names those (`of`).
 */
export type Keyed<Row> =
  | { key: keyof Row & string; of?: undefined }
  | { key: string; of: readonly (keyof Row & string)[] };

interface ColumnBase {
  title: string;
  /** Pixels. A column without one shares the room that is left, never narrower than `minWidth`. */
  width?: number;
  minWidth?: number;
  /** Figures stand right, in tabular digits. */
  align?: 'left' | 'right' | 'center';
  /** Of a list in the browser's memory. Which columns of the server's lists can be sorted the server says. */
  sortable?: boolean;
  /** Stays in sight when the table is scrolled sideways, until the viewer decides otherwise. */
  fixed?: Side;
  /** Cannot be hidden by the viewer. */
  essential?: boolean;
  /** Hidden until the viewer shows it. */
  hidden?: boolean;
  /** Left out where the window is too narrow for all columns, unless the viewer asked for it. */
  leaveOut?: boolean;
  filter?: ColumnFilter;
}

export type Side = 'left' | 'right';

/** Whatever the page draws. Without `text` it is left out of exported files. */
export type SlotColumn<Row> = ColumnBase &
  Keyed<Row> & {
    type?: 'slot';
    render: (row: Row, index: number) => ReactNode;
    text?: (row: Row) => PlainValue;
  };

/** Plain text, cut behind `length` characters (25) with all of it at hand. */
export type TextColumn<Row> = ColumnBase &
  Keyed<Row> & {
    type: 'text';
    text: (row: Row) => PlainValue;
    length?: number;
  };

/** HTML of a source that is not ours: only harmless marks of it are drawn. */
export type HtmlColumn<Row> = ColumnBase &
  Keyed<Row> & {
    type: 'html';
    html: (row: Row) => string;
    text?: (row: Row) => PlainValue;
  };

/** The row's number, counted over all pages. */
export interface SeqColumn extends ColumnBase {
  key: string;
  type: 'seq';
  text?: undefined;
}

/** One thing that can be done with a row. */
export interface RowAction {
  key: string;
  label: string;
  icon?: ReactNode;
  danger?: boolean;
  /** Why it cannot be done now. The button stays in reach, so that the reason can be read. */
  refused?: string;
  run: () => void;
}

/** What can be done with a row: the first ones as buttons, the rest in a menu. */
export interface OptionsColumn<Row> extends ColumnBase {
  key: string;
  type: 'options';
  actions: (row: Row) => readonly RowAction[];
  /** Number of visible actions. */
  shown?: number;
  text?: undefined;
}

export type Column<Row> =
  | SlotColumn<Row>
  | TextColumn<Row>
  | HtmlColumn<Row>
  | SeqColumn
  | OptionsColumn<Row>;

/** What the server declares of a list. */
export interface ListDefinition {
  sortable: readonly string[];
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
  /** The rows are still those of what was asked before. */
  isPlaceholderData?: boolean;
  /** Left out where the rows are in the browser's memory: there is nothing to ask again. */
  refetch?: () => unknown;
}

/** What a table asks for, as the contract's lists take it. */
export interface TableRequest {
  current: number;
  /** −1: all rows. */
  size: number;
  sort?: string;
  order?: SortOrder;
}

export interface TableState {
  request: TableRequest;
  /** The sizes that the pager offers. */
  sizes: readonly number[];
  setPage: (current: number, size: number) => void;
  setSort: (sort: string | undefined, order: SortOrder | undefined) => void;
  /** Back to the first page, e.g. after the filter changed. */
  toFirstPage: () => void;
}

/** Rows that may be chosen, over all pages. */
export interface TableSelection<Row> {
  keys: ReadonlySet<string>;
  /** `loaded`: rows among them that are on no page in sight. */
  onChange: (keys: ReadonlySet<string>, loaded?: readonly Row[]) => void;
  /** Rows that may not be chosen have their box greyed; all may where this is left out. */
  canSelect?: (row: Row) => boolean;
  /** One row at most: round marks instead of boxes. */
  single?: boolean;
}

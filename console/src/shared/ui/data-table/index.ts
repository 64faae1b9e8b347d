export { useChosenRows } from './chosen-rows';
export { DataTable, type DataTableProps } from './data-table';
export { MOMENT_WIDTH } from './layout';
export { useListFilter } from './list-filter';
export { localPage, matching } from './local-page';
export { genericPageSizes, pageSizes, useOwnTableState, useTableState } from './table-state';
export type {
  Column,
  ColumnFilter,
  Page,
  PageQuery,
  RowAction,
  SlotColumn,
  TableRequest,
  TableSelection,
  TableState,
} from './types';

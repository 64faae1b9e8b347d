export { useChosenRows } from './chosen-rows';
export { DataTable, type DataTableProps } from './data-table';
export { MOMENT_WIDTH } from './layout';
export { useListFilter } from './list-filter';
export { genericPageSizes, pageSizes, useTableState } from './table-state';
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

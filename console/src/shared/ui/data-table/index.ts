export { DataTable, type DataTableProps } from './data-table';
export { useTableState } from './table-state';
export type { Column, Page, PageQuery, TableRequest, TableState } from './types';

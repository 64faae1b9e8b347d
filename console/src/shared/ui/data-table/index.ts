export { DataTable, type DataTableProps, type TableSelection } from './data-table';
export { useTableState } from './table-state';
export type { Column, Page, PageQuery, TableRequest, TableState } from './types';

import {
  call,
  type DataImportFile,
  type DataImportPreview,
  importListColumns,
  importListDatabases,
  importListTables,
  importPreview,
} from '@/shared/api';
import { useRead } from '@/shared/hooks/use-live';

export function useDatabases() {
  return useRead({
    queryKey: ['import', 'databases'],
    queryFn: ({ signal }) => call(importListDatabases({ signal })),
  });
}

/** What the uploaded file has when it is read so. */
export function usePreview(file: DataImportFile) {
  return useRead<DataImportPreview>({
    queryKey: ['import', 'preview', file],
    queryFn: ({ signal }) => call(importPreview({ body: file, signal })),
  });
}

export function useTables(databaseId: string) {
  return useRead({
    queryKey: ['import', 'tables', databaseId],
    queryFn: ({ signal }) => call(importListTables({ body: { databaseId }, signal })),
    enabled: databaseId !== '',
    staleTime: 0,
  });
}

export function useColumns(databaseId: string, schemaName: string, table: string) {
  return useRead({
    queryKey: ['import', 'columns', databaseId, schemaName, table],
    queryFn: ({ signal }) => call(importListColumns({ body: { databaseId, schemaName, table }, signal })),
    enabled: databaseId !== '' && table !== '',
    staleTime: 0,
  });
}

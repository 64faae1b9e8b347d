import { keepPreviousData } from '@tanstack/react-query';
import {
  call,
  type SqlPageRequest,
  type SqlRunPageRequest,
  type SqlTable,
  sqlCatalog,
  sqlColumns,
  sqlListDatabases,
  sqlPage,
  sqlPageRuns,
} from '@/shared/api';
import { useRead } from '@/shared/hooks/use-live';
import { useRefreshing } from '@/shared/hooks/use-refreshing';

export const SQL = 'resource/sqlManagement';
export const SQL_WRITE = 'Resource.SqlWrite';

const MINUTE = 60_000;
const refreshed = [['sql', 'saved']];

/** The saved statements are asked for again after one was changed. */
export function useRefresh(): () => Promise<unknown> {
  return useRefreshing(refreshed);
}

export function useDatabases() {
  return useRead({
    queryKey: ['sql', 'databases'],
    queryFn: ({ signal }) => call(sqlListDatabases({ signal })),
  });
}

export function useSaved(body: SqlPageRequest) {
  return useRead({
    queryKey: ['sql', 'saved', body],
    queryFn: ({ signal }) => call(sqlPage({ body, signal })),
    placeholderData: keepPreviousData,
  });
}

/** What the viewer ran, read again whenever it is opened. */
export function useRuns(body: SqlRunPageRequest) {
  return useRead({
    queryKey: ['sql', 'runs', body],
    queryFn: ({ signal }) => call(sqlPageRuns({ body, signal })),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}

/** Tables of a database, for completion. */
export function useCatalog(databaseId: string) {
  return useRead({
    queryKey: ['sql', 'catalog', databaseId],
    queryFn: ({ signal }) => call(sqlCatalog({ body: { databaseId }, signal })),
    enabled: databaseId !== '',
    staleTime: MINUTE,
  });
}

/** Columns of the tables that a statement names. */
export function useColumnsOf(databaseId: string, tables: SqlTable[]) {
  return useRead({
    queryKey: ['sql', 'columns', databaseId, tables],
    queryFn: ({ signal }) => call(sqlColumns({ body: { databaseId, tables }, signal })),
    enabled: tables.length > 0,
    placeholderData: keepPreviousData,
    staleTime: MINUTE,
  });
}

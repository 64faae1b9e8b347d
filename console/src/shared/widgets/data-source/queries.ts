import { keepPreviousData, useQueryClient } from '@tanstack/react-query';
import {
  type ColumnRecord,
  type ConnectionChoice,
  type ConnectionTestRecord,
  call,
  type DbTypeRecord,
  datasourceDescribeTables,
  datasourceListDbTypes,
  datasourceListDocuments,
  datasourceListSchemas,
  datasourcePageTables,
  datasourceTestSource,
  datasourceTestTarget,
  type TableRecord,
} from '@/shared/api';
import { useRead } from '@/shared/hooks/use-live';
import type { PageQuery, TableRequest } from '@/shared/ui/data-table';
import type { ConnectionValues } from './kind';

export type SourceTable = TableRecord;
export type ColumnLine = ColumnRecord;

/** A connection as it was filled in. */
export interface GivenConnection {
  kind: string | undefined;
  values: ConnectionValues;
  /** Names of the options that are secrets. */
  secrets?: readonly string[];
}

export interface TableFilter {
  schema: string;
  /** A part of the name, or a pattern with * and ?. */
  search: string;
  /** `yes`, `no`, or empty for both. */
  hasKey: string;
}

const HOUR = 60 * 60 * 1000;
const MINUTE = 60 * 1000;

/** Option names of a kind's specification are the fields of the request. */
export function choiceOf({ kind, values }: GivenConnection): ConnectionChoice {
  return { kind, ...values } as ConnectionChoice;
}

/** Cache key of a connection; never the password. */
function placeOf({ kind, values, secrets = [] }: GivenConnection): readonly unknown[] {
  return [kind, Object.entries(values).filter(([name]) => !secrets.includes(name))];
}

/** What the kinds are wanted for: reading, writing, or either. */
export type KindUse = '' | 'publish' | 'subscribe';

export function useKinds(type: KindUse = '') {
  return useRead({
    queryKey: ['data-source', 'kinds', type],
    queryFn: ({ signal }) => call(datasourceListDbTypes({ body: { type }, signal })),
    staleTime: HOUR,
  });
}

/** The grammar of SQL by which an editor shows a kind's statements; undefined until it is known. */
export function useGrammar(kind: string | undefined): DbTypeRecord['grammar'] | undefined {
  return useKinds().data?.find(({ moduletype }) => moduletype === kind)?.grammar;
}

/** Documents of well-known services that a connection of a kind can begin with. */
export function useDocuments(kind: string) {
  return useRead({
    queryKey: ['data-source', 'documents', kind],
    queryFn: ({ signal }) => call(datasourceListDocuments({ body: { kind }, signal })),
    staleTime: HOUR,
  });
}

/** The type in the `databaselist` query: a JSON list of database module info, of which the first counts. */
export function chosenType(list: string | null): string | undefined {
  try {
    const [first] = JSON.parse(list ?? '[]') as { moduletype?: unknown }[];
    return typeof first?.moduletype === 'string' ? first.moduletype : undefined;
  } catch {
    return undefined;
  }
}

/** Asks the agent to test; throws ApiError with the rows in its data when a blocking check failed. */
export function testConnection(
  side: 'source' | 'target',
  connection: ConnectionChoice,
): Promise<ConnectionTestRecord> {
  return call(
    side === 'source'
      ? datasourceTestSource({ body: connection })
      : datasourceTestTarget({ body: connection }),
  );
}

export function useSchemas(connection: GivenConnection) {
  return useRead({
    queryKey: ['data-source', 'schemas', ...placeOf(connection)],
    queryFn: ({ signal }) =>
      call(datasourceListSchemas({ body: { connection: choiceOf(connection) }, signal })),
    staleTime: MINUTE,
  });
}

function narrowed(filter: TableFilter) {
  return {
    search: filter.search || null,
    schema: filter.schema || null,
    hasKey: filter.hasKey === '' ? null : filter.hasKey === 'yes',
  };
}

/** The source's tables by page. `refetch` asks the database itself, past what the server still remembers of it. */
export function useSourceTables(
  connection: GivenConnection,
  request: TableRequest,
  filter: TableFilter,
): PageQuery<SourceTable> {
  const body = { connection: choiceOf(connection), ...request, ...narrowed(filter) };
  const { data, error, isFetching, refetch } = useRead({
    queryKey: ['data-source', 'tables', ...placeOf(connection), request, filter],
    queryFn: ({ signal }) => call(datasourcePageTables({ body, signal })),
    placeholderData: keepPreviousData,
    staleTime: MINUTE,
  });
  const client = useQueryClient();
  const askAgain = async () => {
    await call(datasourcePageTables({ body: { ...body, size: 1, refresh: true } })).catch(() => undefined);
    await client.invalidateQueries({ queryKey: ['data-source', 'schemas'] });
    return refetch();
  };
  return { data, error, isFetching, refetch: askAgain };
}

/** All tables that a filter matches, on all pages. */
export async function matchingTables(
  connection: GivenConnection,
  filter: TableFilter,
): Promise<SourceTable[]> {
  const body = { connection: choiceOf(connection), size: -1, ...narrowed(filter) };
  return (await call(datasourcePageTables({ body }))).records;
}

/** One table's columns, and what they become on a kind of target. */
export function useDescription(
  connection: GivenConnection,
  { schema, table }: { schema: string; table: string },
  targetKind: string | undefined,
) {
  return useRead({
    queryKey: ['data-source', 'table', ...placeOf(connection), schema, table, targetKind],
    queryFn: async ({ signal }) => {
      const body = { connection: choiceOf(connection), tables: [{ schema, table }], targetKind };
      const [description] = await call(datasourceDescribeTables({ body, signal }));
      return description;
    },
    staleTime: MINUTE,
  });
}

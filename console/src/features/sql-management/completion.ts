import type { SqlTable, SqlTableColumns } from '@/shared/api';

/** So many tables of a statement are asked for their columns. */
const MAX_TABLES = 20;

export type Completion = Record<string, string[] | Record<string, string[]>>;

/** The tables whose names stand in a statement, with or without their schema. */
export function namedTables(statement: string, tables: readonly SqlTable[]): SqlTable[] {
  const words = new Set(statement.toLowerCase().match(/[\p{L}\p{N}_$]+/gu));
  return tables.filter(({ table }) => words.has(table.toLowerCase())).slice(0, MAX_TABLES);
}

/** What completion offers: tables by schema and by their own name, with the columns that are known. */
export function completionOf(tables: readonly SqlTable[], known: readonly SqlTableColumns[]): Completion {
  const columns = new Map(known.map((one) => [`${one.schemaName}\n${one.table}`, one.columns]));
  const offered: Completion = {};
  const bySchema: Record<string, Record<string, string[]>> = {};
  for (const { schemaName, table } of tables) {
    const own = columns.get(`${schemaName}\n${table}`) ?? [];
    bySchema[schemaName] ??= {};
    bySchema[schemaName][table] = own;
    offered[table] ??= own;
  }
  return { ...offered, ...bySchema };
}

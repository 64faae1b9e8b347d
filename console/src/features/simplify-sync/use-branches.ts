import { useMemo, useState } from 'react';
import type { TreeRecord } from '@/shared/api';
import { SCHEMAS, type Side, TABLES, useSchemas, useTables } from './queries';

/** A schema with as many of its tables as were asked for. */
export interface Branch {
  schema: TreeRecord;
  tables: readonly TreeRecord[];
  /** How many there are besides. */
  more: number;
  isLoading: boolean;
  error: Error | null;
}

/** Schemas that a search leaves are opened by themselves, as far as they fit a glance. */
const OPENED = 10;

/** The open part of a database's tree: schemas, and the tables of those that are open, page by page. */
export function useBranches(side: Side, database: string | undefined, search: string) {
  const schemas = useSchemas(side, database, search);
  const [open, setOpen] = useState<readonly string[]>([]);
  const [pages, setPages] = useState<Readonly<Record<string, number>>>({});
  const records = schemas.data?.records ?? [];
  const found = search ? records.slice(0, OPENED).map(({ id }) => id) : [];
  const opened = [...new Set([...open, ...found])].filter((id) => records.some((one) => one.id === id));
  const parts = opened.flatMap((id) =>
    Array.from({ length: pages[id] ?? 1 }, (_, index) => ({ id, current: index + 1 })),
  );
  const answers = useTables(side, parts, search);
  const branches = useMemo(
    () => records.map((schema) => branchOf(schema, parts, answers)),
    [records, parts, answers],
  );
  return {
    schemas,
    branches,
    /** More schemas than are shown: the search finds the rest. */
    hidden: Math.max(0, (schemas.data?.total ?? 0) - SCHEMAS),
    opened,
    setOpen,
    loadMore: (id: string) => setPages((known) => ({ ...known, [id]: (known[id] ?? 1) + 1 })),
  };
}

function branchOf(
  schema: TreeRecord,
  parts: readonly { id: string; current: number }[],
  answers: ReturnType<typeof useTables>,
): Branch {
  const own = answers.filter((_, index) => parts[index]?.id === schema.id);
  const total = own.at(-1)?.data?.total ?? own[0]?.data?.total ?? 0;
  return {
    schema,
    tables: own.flatMap(({ data }) => data?.records ?? []),
    more: Math.max(0, total - own.length * TABLES),
    isLoading: own.some(({ isPending }) => isPending),
    error: own.find(({ error }) => error)?.error ?? null,
  };
}

import type { DataImportChoice, DataImportColumn, DataImportTableColumn } from '@/shared/api';

/** A column of the file; without a target it is left out. */
export type Choice = Required<DataImportChoice>;

export const TYPES = [
  'text',
  'bigint',
  'decimal(18,2)',
  'double',
  'boolean',
  'date',
  'timestamp',
  'timestamptz',
  'json',
];

/** Columns of the same name, whatever its case, blanks and underscores. */
export function matched(
  columns: readonly DataImportColumn[],
  table: readonly DataImportTableColumn[],
): Choice[] {
  const byName = new Map(table.map(({ name }) => [plain(name), name]));
  return columns.map(({ name, type }) => {
    const target = byName.get(plain(name)) ?? '';
    byName.delete(plain(name));
    return { source: name, target, type, key: false };
  });
}

/** All columns under their own names. */
export function fresh(columns: readonly DataImportColumn[]): Choice[] {
  return columns.map(({ name, type }) => ({ source: name, target: name, type, key: false }));
}

/** The columns that are imported. Types and keys belong to new tables only. */
export function chosen(choices: readonly Choice[], isNew: boolean): DataImportChoice[] {
  return choices
    .filter(({ target }) => target.trim() !== '')
    .map(({ source, target, type, key }) => ({ source, target: target.trim(), ...(isNew && { type, key }) }));
}

/** A column of the table that several columns of the file go to. */
export function twice(choices: readonly Choice[]): string | undefined {
  const seen = new Set<string>();
  for (const { target } of choices) {
    const name = target.trim().toLowerCase();
    if (name && seen.has(name)) return target;
    seen.add(name);
  }
  return undefined;
}

/** Columns that every row needs and no column of the file fills: the table may have defaults for them. */
export function unfilled(choices: readonly Choice[], table: readonly DataImportTableColumn[]): string[] {
  const filled = new Set(choices.map(({ target }) => target));
  return table.filter(({ name, nullable }) => !nullable && !filled.has(name)).map(({ name }) => name);
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[\s_-]/g, '');
}

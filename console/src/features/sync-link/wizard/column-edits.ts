import type { AddedColumn, ColumnChoice, Mask } from './draft';
import { isNameTooLong } from './names';

/** One row of the column list while it is edited. */
export interface ColumnEdit {
  source: string;
  taken: boolean;
  /** Empty: the same name. */
  target: string;
  mask?: Mask | undefined;
}

export interface ColumnFault {
  code: 'none' | 'keyMissing' | 'twice' | 'tooLong' | 'unnamed' | 'noExpression';
  column: string;
}

/** The column list as it was chosen before; all columns where nothing was. */
export function editsOf(
  columns: readonly { name: string }[],
  chosen: readonly ColumnChoice[] | undefined,
  masks: Readonly<Record<string, Mask>> = {},
): ColumnEdit[] {
  const targets = new Map(chosen?.map(({ source, target }) => [source, target]));
  return columns.map(({ name }) => {
    const target = targets.get(name);
    return {
      source: name,
      taken: !chosen || target !== undefined,
      target: target && target !== name ? target : '',
      mask: masks[name],
    };
  });
}

/** Columns for the link's document: none if all columns keep their names. */
export function chosenColumns(edits: readonly ColumnEdit[]): ColumnChoice[] | undefined {
  if (edits.every(({ taken, target, source }) => taken && (target.trim() === '' || target.trim() === source)))
    return undefined;
  return edits
    .filter(({ taken }) => taken)
    .map(({ source, target }) => ({ source, target: target.trim() || source }));
}

/** How the columns that go along are hidden. */
export function masksOf(edits: readonly ColumnEdit[]): Record<string, Mask> {
  return Object.fromEntries(
    edits.flatMap(({ source, taken, mask }) => (taken && mask ? [[source, mask] as const] : [])),
  );
}

/** The first thing that makes the choice impossible. Key columns must go along: without them no row can be found. */
export function faultOf(
  edits: readonly ColumnEdit[],
  key: readonly string[],
  added: readonly AddedColumn[] = [],
): ColumnFault | undefined {
  const taken = edits.filter((edit) => edit.taken);
  if (taken.length === 0) return { code: 'none', column: '' };
  const missing = key.find((name) => !taken.some(({ source }) => source === name));
  if (missing !== undefined) return { code: 'keyMissing', column: missing };
  if (added.some(({ name }) => name.trim() === '')) return { code: 'unnamed', column: '' };
  const empty = added.find(({ kind, value }) => kind === 'expression' && value.trim() === '');
  if (empty) return { code: 'noExpression', column: empty.name };
  // An added column that is called like one of the source takes its place.
  const replaced = taken.filter(({ source }) => !added.some(({ name }) => name === source));
  const names = [
    ...replaced.map(({ source, target }) => target.trim() || source),
    ...added.map(({ name }) => name),
  ];
  const tooLong = names.find(isNameTooLong);
  if (tooLong !== undefined) return { code: 'tooLong', column: tooLong };
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  return twice === undefined ? undefined : { code: 'twice', column: twice };
}

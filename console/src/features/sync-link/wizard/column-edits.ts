import type { ColumnChoice } from './draft';
import { isNameTooLong } from './names';

/** One row of the column list while it is edited. */
export interface ColumnEdit {
  source: string;
  taken: boolean;
  /** Empty: the same name. */
  target: string;
}

export interface ColumnFault {
  code: 'none' | 'keyMissing' | 'twice' | 'tooLong';
  column: string;
}

/** The column list as it was chosen before; all columns where nothing was. */
export function editsOf(
  columns: readonly { name: string }[],
  chosen: readonly ColumnChoice[] | undefined,
): ColumnEdit[] {
  const targets = new Map(chosen?.map(({ source, target }) => [source, target]));
  return columns.map(({ name }) => {
    const target = targets.get(name);
    return {
      source: name,
      taken: !chosen || target !== undefined,
      target: target && target !== name ? target : '',
    };
  });
}

/** What the link is told: nothing where all columns go along under their own names. */
export function chosenColumns(edits: readonly ColumnEdit[]): ColumnChoice[] | undefined {
  if (edits.every(({ taken, target, source }) => taken && (target.trim() === '' || target.trim() === source)))
    return undefined;
  return edits
    .filter(({ taken }) => taken)
    .map(({ source, target }) => ({ source, target: target.trim() || source }));
}

/** The first thing that makes the choice impossible. Key columns must go along: without them no row can be found. */
export function faultOf(edits: readonly ColumnEdit[], key: readonly string[]): ColumnFault | undefined {
  const taken = edits.filter((edit) => edit.taken);
  if (taken.length === 0) return { code: 'none', column: '' };
  const missing = key.find((name) => !taken.some(({ source }) => source === name));
  if (missing !== undefined) return { code: 'keyMissing', column: missing };
  const names = taken.map(({ source, target }) => target.trim() || source);
  const tooLong = names.find(isNameTooLong);
  if (tooLong !== undefined) return { code: 'tooLong', column: tooLong };
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  return twice === undefined ? undefined : { code: 'twice', column: twice };
}

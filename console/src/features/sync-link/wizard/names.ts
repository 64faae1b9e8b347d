/** The specification's limit of a target schema or table name. */
export const LONGEST_NAME = 128;

export type LetterCase = 'default' | 'upper' | 'lower';

/** How a target name is written, from the source's name. */
export function inCase(name: string, letterCase: LetterCase): string {
  if (letterCase === 'upper') return name.toUpperCase();
  return letterCase === 'lower' ? name.toLowerCase() : name;
}

export function isNameTooLong(name: string): boolean {
  return [...name].length > LONGEST_NAME;
}

/** The specification's limit of a target schema or table name. */
export const MAX_NAME_LENGTH = 128;

export type LetterCase = 'default' | 'upper' | 'lower';

/** How names in the target follow from names in the source: replaced, then upper or lower case, then both ends. */
export interface NameRule {
  /** A name or a pattern with `*` for any text; empty: nothing is replaced. */
  from: string;
  /** `*` stands for what the pattern's stood for. */
  to: string;
  letterCase: LetterCase;
  prefix: string;
  suffix: string;
}

export const plainRule: NameRule = { from: '', to: '', letterCase: 'default', prefix: '', suffix: '' };

export function isPlain(rule: NameRule): boolean {
  return rule.from === '' && rule.letterCase === 'default' && rule.prefix === '' && rule.suffix === '';
}

function inCase(name: string, letterCase: LetterCase): string {
  if (letterCase === 'upper') return name.toUpperCase();
  return letterCase === 'lower' ? name.toLowerCase() : name;
}

function replaced(name: string, { from, to }: NameRule): string {
  if (from === '') return name;
  const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const found = new RegExp(`^${from.split('*').map(literal).join('(.*)')}$`, 's').exec(name);
  if (!found) return name;
  const texts = found.slice(1);
  return to.replace(/\*/g, () => texts.shift() ?? '');
}

/** What a name of the source is called in the target. */
export function ruled(name: string, rule: NameRule): string {
  return `${rule.prefix}${inCase(replaced(name, rule), rule.letterCase)}${rule.suffix}`;
}

export function isNameTooLong(name: string): boolean {
  return [...name].length > MAX_NAME_LENGTH;
}

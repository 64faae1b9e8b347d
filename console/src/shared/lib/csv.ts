import { startsWithSymbol } from './text';

export type PlainCell = string | number | boolean | null | undefined;

// A spreadsheet program runs a text that begins like a formula; an apostrophe makes it a text.
const FORMULA = /^(\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|[\t\r\n])/;

function cell(value: PlainCell): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return String(value);
  const text = startsWithSymbol(value) && FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Rows as CSV (RFC 4180) with the mark that makes spreadsheet programs read it as UTF-8. */
export function toCsv(rows: readonly (readonly PlainCell[])[]): string {
  return `\uFEFF${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`;
}

import dayjs from 'dayjs';
import { toCsv } from '@/shared/lib/csv';
import { saveFile } from '@/shared/lib/save-file';
import type { Column, PlainValue } from './types';

export type FileKind = 'csv' | 'xlsx';

/** Rows of a spreadsheet of this kind, the head included. */
export const SHEET_ROWS = 1_048_576;

/** The head and the rows of a file: what the columns say as plain text and figures. Columns of buttons say nothing. */
export function plainRows<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): PlainValue[][] {
  const saying = columns.flatMap(({ title, text }) => (text ? [{ title, text }] : []));
  return [saying.map(({ title }) => title), ...rows.map((row) => saying.map(({ text }) => text(row)))];
}

/** A name that every file system takes, with the moment of the export. */
export function fileName(name: string, kind: FileKind, at: Date): string {
  const plain = name.replace(/[\\/:*?"<>|]/g, ' ').trim();
  return `${plain} ${dayjs(at).format('YYYY-MM-DD HH.mm.ss')}.${kind}`;
}

async function toSheet(rows: PlainValue[][]): Promise<Blob> {
  const { default: writeSheet } = await import('write-excel-file/browser');
  const [head = [], ...body] = rows;
  const bold = head.map((title) => ({ value: String(title), fontWeight: 'bold' as const }));
  // Texts say that they are texts, so that the spreadsheet makes neither dates nor formulas of them.
  const cells = body.map((row) =>
    row.map((value) => (typeof value === 'string' ? { value, type: String } : value)),
  );
  return writeSheet([bold, ...cells], { stickyRowsCount: 1 }).toBlob();
}

/** Writes rows into a file and hands it to the viewer. */
export async function exportRows(name: string, kind: FileKind, rows: PlainValue[][]): Promise<void> {
  const content =
    kind === 'csv' ? new Blob([toCsv(rows)], { type: 'text/csv;charset=utf-8' }) : await toSheet(rows);
  saveFile(fileName(name, kind, new Date()), content);
}

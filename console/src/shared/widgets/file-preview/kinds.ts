const endings = {
  picture: ['png', 'jpg', 'jpeg', 'gif', 'webp', 'svg'],
  pdf: ['pdf'],
  article: ['md', 'markdown'],
  table: ['csv'],
  json: ['json'],
  records: ['parquet', 'xlsx', 'xlsm', 'xlsb', 'xls', 'ods'],
  text: ['txt', 'log', 'sql', 'yaml', 'yml', 'toml', 'xml', 'ini', 'properties', 'conf'],
} as const;

export type FileKind = keyof typeof endings | 'unknown';

/** Bytes that a browser shows without standing still. */
const LARGEST = 5 * 1024 * 1024;

export const SHOWN_ROWS = 500;

/** How a file is shown, by the ending of its name. */
export function kindOf(name: string): FileKind {
  const ending = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  const found = Object.entries(endings).find(([, known]) => (known as readonly string[]).includes(ending));
  return (found?.[0] as FileKind | undefined) ?? 'unknown';
}

/** The beginnings of files that are shown as what they are, whatever they are called: type, and bytes from a place on. */
const signatures: readonly { type: string; at: number; bytes: readonly number[] }[] = [
  { type: 'image/png', at: 0, bytes: [0x89, 0x50, 0x4e, 0x47] },
  { type: 'image/jpeg', at: 0, bytes: [0xff, 0xd8, 0xff] },
  { type: 'image/gif', at: 0, bytes: [0x47, 0x49, 0x46, 0x38] },
  { type: 'image/webp', at: 8, bytes: [0x57, 0x45, 0x42, 0x50] },
  { type: 'application/pdf', at: 0, bytes: [0x25, 0x50, 0x44, 0x46, 0x2d] },
];
/** Parquet says what it is; what else begins like a workbook may be any archive or compound file. */
const PARQUET = [0x50, 0x41, 0x52, 0x31];
const WORKBOOKS = [
  [0x50, 0x4b, 0x03, 0x04],
  [0xd0, 0xcf, 0x11, 0xe0],
];
const SVG = 'image/svg+xml';
const HEAD_BYTES = 1024;

/** What a file is, by its content; `type`: of what the browser draws itself, so that it is never taken for a page. */
export interface FileContent {
  kind: FileKind;
  type?: string;
}

/** A picture, a PDF or records are so by their first bytes; another file is what its name says, if it is text. */
export async function contentOf(name: string, content: Blob): Promise<FileContent> {
  const head = new Uint8Array(await content.slice(0, HEAD_BYTES).arrayBuffer());
  const begins = (bytes: readonly number[], at = 0) =>
    bytes.every((byte, place) => head[at + place] === byte);
  const known = signatures.find(({ at, bytes }) => begins(bytes, at));
  if (known) return { kind: known.type === 'application/pdf' ? 'pdf' : 'picture', type: known.type };
  const kind = kindOf(name);
  if (begins(PARQUET)) return { kind: 'records' };
  if (kind === 'records') return { kind: WORKBOOKS.some((bytes) => begins(bytes)) ? kind : 'unknown' };
  if (head.includes(0) || kind === 'pdf') return { kind: 'unknown' };
  if (kind !== 'picture') return { kind };
  return name.toLowerCase().endsWith('.svg') ? { kind, type: SVG } : { kind: 'unknown' };
}

export function isTooLarge(content: Blob): boolean {
  return content.size > LARGEST;
}

/** JSON set out for reading; what is none stays as it is. */
export function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}

/** Rows of a CSV text (RFC 4180): quoted cells may hold commas, doubled quotes and line ends. */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain = '', end] of text
    .replace(/^\uFEFF/, '')
    .matchAll(/(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r?\n|$)/g)) {
    rows.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === '') break;
    if (end !== ',') rows.push([]);
  }
  return rows.filter((row) => row.length > 1 || row[0]);
}

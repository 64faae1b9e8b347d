const endings = {
  picture: ['png', 'jpg', 'jpeg', 'gif', 'webp', 'svg'],
  pdf: ['pdf'],
  article: ['md', 'markdown'],
  table: ['csv'],
  json: ['json'],
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

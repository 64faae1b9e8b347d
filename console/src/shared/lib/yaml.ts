type Plain =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly Plain[]
  | { readonly [key: string]: Plain };

// Words that YAML reads as something else than text, and whatever begins or contains a character with a meaning.
const RESERVED = /^(?:y|n|yes|no|on|off|true|false|null|~|[-+.]?(?:\d|inf|nan).*)$/i;
const SAFE = /^[\p{L}_/][\p{L}\p{N}_./@+-]*(?: [\p{L}\p{N}_./@+-]+)*$/u;

function scalar(value: string | number | boolean | null): string {
  if (typeof value !== 'string') return String(value);
  return SAFE.test(value) && !RESERVED.test(value) ? value : JSON.stringify(value);
}

function isPlain(value: Plain): value is string | number | boolean | null {
  return value === null || typeof value !== 'object';
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0;
}

/** What stands behind `key:` or `-`: on the same line for scalars and empty things, below and deeper for the rest. */
function behind(value: Plain, depth: number): string {
  if (isPlain(value)) return ` ${scalar(value)}\n`;
  if (value === undefined || isEmpty(value)) return Array.isArray(value) ? ' []\n' : ' {}\n';
  return `\n${block(value, depth)}`;
}

function block(value: readonly Plain[] | { readonly [key: string]: Plain }, depth: number): string {
  const indent = '  '.repeat(depth);
  if (Array.isArray(value)) {
    return (value as readonly Plain[])
      .map((item) => {
        if (item === undefined || isPlain(item) || Array.isArray(item) || isEmpty(item))
          return `${indent}-${behind(item, depth + 1)}`;
        // The first key of a mapping follows the dash.
        return `${indent}- ${block(item, depth + 1).trimStart()}`;
      })
      .join('');
  }
  return Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .map(([key, item]) => `${indent}${scalar(key)}:${behind(item, depth + 1)}`)
    .join('');
}

/** JSON-like data as YAML: texts that could be misread are quoted, nothing else is. */
export function toYaml(document: object): string {
  return block(document as { readonly [key: string]: Plain }, 0);
}

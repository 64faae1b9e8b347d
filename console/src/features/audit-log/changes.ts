export interface Change {
  /** The field's path; `tables[2].name`. */
  field: string;
  /** Undefined: the field is absent on that side. */
  before: string | undefined;
  after: string | undefined;
  /** Whether both sides speak of the field and differ. */
  isChanged: boolean;
}

/** Every leaf of a JSON value with its path, in the value's own order. */
function leaves(value: unknown, path: string, into: Map<string, string>): Map<string, string> {
  const inner = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  if (inner.length === 0) {
    if (value !== undefined) into.set(path, typeof value === 'string' ? value : JSON.stringify(value));
    return into;
  }
  const isList = Array.isArray(value);
  for (const [name, part] of inner) {
    const step = isList ? `[${name}]` : path === '' ? name : `.${name}`;
    leaves(part, `${path}${step}`, into);
  }
  return into;
}

/** The first step of a path. */
const fieldOf = (path: string) => path.split(/[.[]/, 1)[0] ?? '';

/**
 * The fields of two JSON values side by side, as they come in the first and then in the second. A field is compared
 * where both values have it: often one is the whole object, and the other what a request said of it.
 */
export function changesOf(before: unknown, after: unknown): Change[] {
  const old = leaves(before ?? undefined, '', new Map());
  const now = leaves(after ?? undefined, '', new Map());
  const fields = [old, now].map((side) => new Set([...side.keys()].map(fieldOf)));
  return [...new Set([...old.keys(), ...now.keys()])].map((path) => ({
    field: path,
    before: old.get(path),
    after: now.get(path),
    isChanged: old.get(path) !== now.get(path) && fields.every((side) => side.has(fieldOf(path))),
  }));
}

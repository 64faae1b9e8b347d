export interface Change {
  /** The field's path; `tables[2].name`. */
  field: string;
  /** Undefined: the field is absent on that side. */
  before: string | undefined;
  after: string | undefined;
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

/** The fields of two JSON values side by side, as they come in the first and then in the second. */
export function changesOf(before: unknown, after: unknown): Change[] {
  const old = leaves(before ?? undefined, '', new Map());
  const now = leaves(after ?? undefined, '', new Map());
  return [...new Set([...old.keys(), ...now.keys()])].map((field) => ({
    field,
    before: old.get(field),
    after: now.get(field),
  }));
}

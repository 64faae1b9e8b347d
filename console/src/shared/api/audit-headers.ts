/** Audit information of a change outside its body: `audited` adds it to a call. */
export interface AuditHint {
  before?: unknown;
  after?: unknown;
}

/** `departmentEdit({ body, ...audited(before, body) })`; without `after` the thing is gone afterwards. */
export function audited(before: unknown, after: unknown = null): { meta: { audit: AuditHint } } {
  return { meta: { audit: { before, after } } };
}

const MAX_PART_LENGTH = 1000;
const MAX_OPERATION_LENGTH = 3000;
const SECRET_NAME = /password|secret|token|captcha/i;

/** JSON without secrets, cut to a length; undefined where there is nothing. */
function part(value: unknown, longest: number): string | undefined {
  const text = JSON.stringify(value, (name, inner) => (SECRET_NAME.test(name) ? '***' : inner));
  // Half of a character outside of the basic plane can't be encoded.
  return text?.slice(0, longest).replace(/[\uD800-\uDBFF]$/, '');
}

/** URL-encoded JSON {before, current, after}: each part at most 1000 characters, the whole at most 3000. */
function operation(hint: AuditHint, current: unknown): string {
  for (let longest = MAX_PART_LENGTH; ; longest = Math.floor(longest / 2)) {
    const parts = {
      before: part(hint.before, longest),
      current: part(current, longest),
      after: part(hint.after, longest),
    };
    const encoded = encodeURIComponent(JSON.stringify(parts));
    if (encoded.length <= MAX_OPERATION_LENGTH) return encoded;
  }
}

/**
 * The audit headers of one call: the page it was made from, what kind of call it is, what it is about. Hints only: the
 * server writes its own record. `body` is left out where it may hold a password.
 */
export function auditHeaders(path: string, body: unknown, hint: AuditHint = {}): Record<string, string> {
  return {
    title: encodeURIComponent(document.title.slice(0, MAX_PART_LENGTH)),
    businessType: encodeURIComponent(path.split('/').slice(3).join('/')),
    operation: operation(hint, body),
  };
}

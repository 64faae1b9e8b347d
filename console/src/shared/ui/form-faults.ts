import type { FormInstance } from 'antd';
import type { ApiError } from '@/shared/api/errors';
import { notifyFailure } from '@/shared/api/notices';

/** How a form goes to its first fault: with its label and its text in sight. */
export const toFault = { focus: true, block: 'center' } as const;

type FieldPath = string | number | (string | number)[];

function fieldPath(name: string): FieldPath {
  return name.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}

/**
 * Puts what the server found under its fields, the first of them in sight. What no field of the form can show is told
 * beside it, as `inWords` puts it.
 */
export function showFaults<Values>(
  form: FormInstance<Values>,
  error: ApiError,
  inWords: (message: string) => string = (message) => message,
): void {
  const told = Object.entries(error.fields).map(([name, text]) => ({
    name: fieldPath(name) as never,
    errors: [text],
  }));
  form.setFields(told);
  const faults = told.filter(({ name }) => form.getFieldError(name).length > 0);
  if (faults[0]) form.scrollToField(faults[0].name, toFault);
  else notifyFailure(error, inWords(error.message));
}

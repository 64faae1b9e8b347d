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
 * Shows the server's faults at their fields and scrolls to the first. A fault without a field is shown outside the form,
 * in the words of `inWords`.
 */
export function showFaults<Values>(
  form: FormInstance<Values>,
  error: ApiError,
  inWords: (message: string) => string = (message) => message,
): void {
  const fieldFaults = Object.entries(error.fields).map(([name, text]) => ({
    name: fieldPath(name) as never,
    errors: [text],
  }));
  form.setFields(fieldFaults);
  const faults = fieldFaults.filter(({ name }) => form.getFieldError(name).length > 0);
  if (faults[0]) form.scrollToField(faults[0].name, toFault);
  else notifyFailure(error, inWords(error.message));
}

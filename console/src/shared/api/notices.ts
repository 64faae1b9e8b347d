import { notify } from '@/shared/lib/notices';
import type { ApiError } from './errors';

const USUAL_SECONDS = 4;

/** Seconds a notice stays, by what happened (specification, chapter 8). */
const seconds: Readonly<Record<string, number>> = { timeout: 5, 408: 5, 500: 3 };

function isShownElsewhere(error: ApiError): boolean {
  // The form shows its own fields' errors; the guard leads away when the session or the password is at fault.
  return Object.keys(error.fields).length > 0 || [401, 40101, 40102, 40200].includes(error.code as number);
}

/** Tells the viewer that what they did failed, unless that is shown elsewhere already. */
export function notifyFailure(error: ApiError): void {
  if (!isShownElsewhere(error)) notifyAnyway(error);
}

/** The same, wherever else it is shown. */
export function notifyAnyway(error: ApiError): void {
  const kind = error.isCancelled ? 'info' : 'error';
  notify(kind, error.message, seconds[error.code] ?? USUAL_SECONDS);
}

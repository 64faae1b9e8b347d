import i18n from 'i18next';
import { notify } from '@/shared/lib/notices';
import { hasOwnText } from './catalogue';
import type { ApiError } from './errors';

const USUAL_SECONDS = 4;

/** Seconds a notice stays, by what happened (specification, chapter 8). */
const seconds: Readonly<Record<string, number>> = { timeout: 5, 408: 5, 500: 3 };

/** The guard leads away when the session or the password is at fault. */
const guarded: readonly unknown[] = [401, 40101, 40102, 40200];

/** What the viewer asked for: the specification has a message of its own for each that failed. */
export type Asked = 'status' | 'delete' | 'submit' | 'modify' | 'export';

/** How it is said that what was asked for failed: the server's reason behind it, unless the code has a text of its own. */
export function failureText(error: ApiError, asked: Asked | undefined): string {
  const isPlain = error.isConnectionLost || error.isCancelled || hasOwnText(error.code);
  if (asked === undefined || isPlain) return error.message;
  return i18n.t(`failure.asked.${asked}`, { reason: error.message });
}

/** Notifies the viewer of a failed or cancelled action. `text`: replaces the server's message. */
export function notifyFailure(error: ApiError, text = error.message): void {
  if (guarded.includes(error.code)) return;
  notify(error.isCancelled ? 'info' : 'error', text, seconds[error.code] ?? USUAL_SECONDS);
}

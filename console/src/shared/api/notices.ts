import { notify } from '@/shared/lib/notices';
import type { ApiError } from './errors';

const USUAL_SECONDS = 4;

/** Seconds a notice stays, by what happened (specification, chapter 8). */
const seconds: Readonly<Record<string, number>> = { timeout: 5, 408: 5, 500: 3 };

/** The guard leads away when the session or the password is at fault. */
const guarded: readonly unknown[] = [401, 40101, 40102, 40200];

/** Tells the viewer that what they did failed, or was called off. `text`: how, where the server's message alone would not do. */
export function notifyFailure(error: ApiError, text = error.message): void {
  if (guarded.includes(error.code)) return;
  notify(error.isCancelled ? 'info' : 'error', text, seconds[error.code] ?? USUAL_SECONDS);
}

import { ApiError } from '@/shared/api';
import { notify } from '@/shared/lib/notices';

/** Says why a call was refused, and goes on failing: the dialog that made it stays open. */
export function tell(error: unknown): never {
  if (error instanceof ApiError) notify('error', error.message);
  throw error;
}

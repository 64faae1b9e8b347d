import { ApiError } from '@/shared/api';
import { type Asked, failureText, notifyFailure } from '@/shared/api/notices';

/** Says that what was asked for failed, and why, and goes on failing: the dialog that made it stays open. */
export function tell(asked: Asked): (error: unknown) => never {
  return (error) => {
    if (error instanceof ApiError) notifyFailure(error, failureText(error, asked));
    throw error;
  };
}

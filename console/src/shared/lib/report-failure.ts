import { ApiError } from '@/shared/api';
import { type Asked, failureText, notifyFailure } from '@/shared/api/notices';

/** Shows a failure with its reason and rethrows it, so that the dialog stays open. */
export function reportFailure(asked: Asked): (error: unknown) => never {
  return (error) => {
    if (error instanceof ApiError) notifyFailure(error, failureText(error, asked));
    throw error;
  };
}

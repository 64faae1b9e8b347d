import { useQuery } from '@tanstack/react-query';
import { signInMethods } from '@/shared/api/sign-in-methods';
import { USUAL_LONGEST } from '@/shared/lib/password-rules';

/** How many characters a new password may have on this platform. */
export function useLongestPassword(): number {
  return useQuery(signInMethods).data?.longestPassword ?? USUAL_LONGEST;
}

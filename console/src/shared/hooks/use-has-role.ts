import { local } from '@/shared/lib/storage';
import { storeKeys } from '@/shared/lib/store-keys';

/** Whether a user's roles include any of these codes; an empty list names none. */
export function hasAnyRole(
  user: { roleCodes?: readonly string[] } | undefined,
  codes: readonly string[],
): boolean {
  return codes.some((code) => user?.roleCodes?.includes(code));
}

/**
 * Whether the viewer has any of these roles, as the frame keeps the signed-in user. For what is said to a viewer, never
 * for what is offered: that follows from permissions (`useMay`), also for roles that administrators made themselves.
 */
export function useHasRole(): (codes: readonly string[]) => boolean {
  const user = local.get<{ roleCodes?: string[] }>(storeKeys.user);
  return (codes) => hasAnyRole(user, codes);
}

import type { UserRecord } from '@/shared/api';

/** User types that the specification lets deliver messages. The server checks the same. */
const deliveringTypes = ['3', '30', '40'];

export function mayDeliver(user: UserRecord | undefined): boolean {
  return user !== undefined && !user.clientRemote && deliveringTypes.includes(user.userType);
}

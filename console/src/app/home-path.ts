import type { UserRecord } from '@/shared/api';
import { paths } from '@/shared/pages/paths';
import { useSignedInUser } from './session';

/** Where a viewer's home is: a remote client's is the index page. */
export function homePathOf(user: Pick<UserRecord, 'clientRemote'> | undefined): string {
  return user?.clientRemote ? paths.remoteHome() : paths.home();
}

export function useHomePath(): string {
  return homePathOf(useSignedInUser());
}

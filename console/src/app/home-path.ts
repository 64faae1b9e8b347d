import { paths } from '@/shared/pages/paths';
import { useSignedInUser } from './session';

/** Where the viewer's home is: a remote client's is the index page. */
export function useHomePath(): string {
  return useSignedInUser()?.clientRemote ? paths.remoteHome() : paths.home();
}

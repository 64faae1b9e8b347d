import { paths } from '@/shared/pages/paths';
import { useSignedInUser } from './session';

/** Where the viewer's home is: a remote client's is the index page. */
export function useHomePath(): string {
  const user: object | undefined = useSignedInUser();
  return user && 'clientRemote' in user && user.clientRemote === true ? paths.remoteHome() : paths.home();
}

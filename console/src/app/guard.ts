import { paths } from '@/shared/pages/paths';
import { redirects } from './redirects';

/** Paths that need no login. */
const publicPaths = [
  '/login',
  '/',
  '/thirdpart-sign-in',
  '/servicepart-sign-in',
  '/saml-sign-in',
  '/reset-password',
  '/download-page',
];

/**
 * Where a viewer is sent instead of `target` (path with query), or undefined when they may stay. `/` is public but
 * only leads on to the home page, which is not. `home`: this viewer's home, if not the default one.
 */
export function redirection(
  pathname: string,
  target: string,
  isSignedIn: boolean,
  home: string = paths.home(),
): string | undefined {
  if (isSignedIn && pathname === '/login') return '/';
  if (!isSignedIn && !publicPaths.includes(pathname)) return paths.signIn({ redirect: target });
  const leadsHome = (redirects[pathname] ?? pathname) === paths.home();
  return leadsHome && home !== paths.home() ? home : redirects[pathname];
}

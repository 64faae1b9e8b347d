function withRedirect(path: string, redirect: string | null | undefined): string {
  return redirect ? `${path}?redirect=${encodeURIComponent(redirect)}` : path;
}

/** Every path of the console is built here, so that a renamed route breaks the build and not a link. */
export const paths = {
  home: () => '/home',
  remoteHome: () => '/index',
  article: (name?: string) => `/resource/article${name ? `?name=${encodeURIComponent(name)}` : ''}`,
  disclaimers: () => '/disclaimers',
  signIn: (redirect?: string) => withRedirect('/login', redirect),
  thirdPartySignIn: (redirect?: string | null) => withRedirect('/thirdpart-sign-in', redirect),
  serviceSignIn: (redirect?: string | null) => withRedirect('/servicepart-sign-in', redirect),
  resetPassword: () => '/reset-password',
  syncLinks: () => '/sync-link',
  newSyncLink: () => '/sync-link/new',
  syncLink: (id: string) => `/sync-link-config/${encodeURIComponent(id)}`,
  operationRecords: (search: string) => `/vxe-table?search=${encodeURIComponent(search)}`,
  syncTasks: () => '/sync-task',
  syncTask: (id: string) => `/sync-task-config/${encodeURIComponent(id)}`,
};

/** The page to open after signing in. Only paths of this console are followed, never another site's. */
export function ownPath(redirect: string | null): string {
  const isOwn = redirect?.startsWith('/') && !/^\/[/\\]/.test(redirect);
  return isOwn ? (redirect as string) : '/';
}

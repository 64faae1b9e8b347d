/** Paths that only lead on. */
export const redirects: Readonly<Record<string, string>> = {
  '/': '/home',
  '/system': '/system/message-management',
  '/policy': '/policy/define',
  '/resource': '/resource/search',
  '/authority-management': '/authority-management/menu-management',
};

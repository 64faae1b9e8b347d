/** Paths that only lead on. */
export const redirects: Readonly<Record<string, string>> = {
  '/': '/home',
  '/monitor': '/monitor/operation-log',
  '/data-service': '/data-service/api-group',
  '/system': '/system/message-management',
  '/policy': '/policy/define',
  '/resource': '/resource/search',
  '/authority-management': '/authority-management/menu-management',
};

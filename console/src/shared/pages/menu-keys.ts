/**
 * Every menu entry that the specification knows (2.3). A key is the entry's path without its first slash; the server's
 * list of granted keys uses the same ones. An entry is in the menu when it is granted and its page is built.
 */
export const menuKeys = [
  'home',
  'index',
  'container',
  'sync-link',
  'subscribe',
  'stream',
  'publish',
  'databus',
  'data-service',
  'data-service/api-group',
  'data-service/api-app',
  'data-service/api-log',
  'monitor',
  'monitor/index-statistics',
  'monitor/load-statistics',
  'monitor/anomaly-statistics',
  'monitor/pubAndSub-statistics',
  'monitor/operation-log',
  'system',
  'system/message-management',
  'system/bus-sys-parameter',
  'system/network-configuration',
  'system/zbmq-management',
  'system/register',
  'system/service_management',
  'policy',
  'policy/define',
  'policy/distribute',
  'sync-task',
  'resource',
  'resource/search',
  'resource/sqlManagement',
  'resource/translation',
  'resource/recycleBin',
  'resource/encodeTool',
  'resource/article',
  'authority-management',
  'authority-management/menu-management',
  'authority-management/dept-management',
  'authority-management/user-management',
  'authority-management/role-management',
  'customer',
  'task',
  'overview-monitor',
  'flow-path',
  'point-to-point-v1',
  'linkMonitor',
  'disclaimers',
] as const;

export type MenuKey = (typeof menuKeys)[number];

/** Titles of pages that are no menu entries themselves. */
export type PageTitle =
  | MenuKey
  | 'subscribe/database-admin'
  | 'subscribe/data-sheet'
  | 'subscribe/customer'
  | 'subscribe/database-config'
  | 'stream/data-sheet'
  | 'stream/customer'
  | 'stream/database-admin'
  | 'databus/process'
  | 'databus/database-admin'
  | 'databus/data-sheet'
  | 'policy/data-sheet'
  | 'publishsubdetail'
  | 'containerdetail'
  | 'sync-link-new'
  | 'sync-link-config'
  | 'sync-task-config'
  | 'resource/graph'
  | 'simplify-sync'
  | 'download-page'
  | 'file-preview'
  | 'point-to-point'
  | 'thirdpart-sign-in'
  | 'servicepart-sign-in'
  | 'demo'
  | 'vxe-table'
  | 'vxe-table2';

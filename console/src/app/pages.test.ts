import { expect, it } from 'vitest';
import { breadcrumbTrail, findPage, menuKeyOf } from './match';
import { menuCatalogue } from './menu-catalogue';
import { pages } from './pages';
import { redirects } from './redirects';

/** The paths of table 2.2 inside the frame, without those that only lead on. */
const specified = [
  '/home',
  '/index',
  '/overview-monitor',
  '/subscribe',
  '/subscribe/database-admin',
  '/subscribe/data-sheet',
  '/subscribe/customer',
  '/subscribe/database-config/mysql',
  '/stream',
  '/stream/data-sheet',
  '/publish',
  '/publishsubdetail/client/1',
  '/task',
  '/container',
  '/containerdetail/1',
  '/sync-link',
  '/sync-link-config/1',
  '/sync-task',
  '/sync-task-config/1',
  '/databus',
  '/databus/database-admin',
  '/databus/data-sheet',
  '/monitor',
  '/monitor/index-statistics',
  '/monitor/load-statistics',
  '/monitor/anomaly-statistics',
  '/monitor/pubAndSub-statistics',
  '/monitor/operation-log',
  '/system/message-management',
  '/system/alert-rule',
  '/system/bus-sys-parameter',
  '/system/network-configuration',
  '/system/zbmq-management',
  '/system/register',
  '/system/service_management',
  '/policy/define',
  '/policy/define/data-sheet',
  '/policy/distribute',
  '/resource/search',
  '/resource/sqlManagement',
  '/resource/translation',
  '/resource/recycleBin',
  '/resource/encodeTool',
  '/resource/article',
  '/resource/graph',
  '/linkMonitor',
  '/data-service',
  '/data-service/api-group',
  '/data-service/api-app',
  '/data-service/api-log',
  '/customer',
  '/authority-management/menu-management',
  '/authority-management/dept-management',
  '/authority-management/user-management',
  '/authority-management/role-management',
  '/flow-path',
  '/simplify-sync',
  '/file-preview',
  '/disclaimers',
  '/point-to-point',
  '/point-to-point-v',
  '/point-to-point-v1',
  '/point-to-point-v2',
  '/demo',
  '/vxe-table',
  '/vxe-table2',
];

it('every route of the specification has a page or leads on, and not both', () => {
  for (const path of specified) {
    const found = [findPage(pages, path), redirects[path]].filter((place) => place !== undefined);
    expect(found, path).toHaveLength(1);
  }
});

it('every redirect leads to a place that exists', () => {
  for (const target of Object.values(redirects)) expect(findPage(pages, target)?.path).toBe(target);
});

it('no path is defined twice', () => {
  const paths = pages.map(({ path }) => path);
  expect(paths).toEqual([...new Set(paths)]);
});

it('every page has a parent that exists, and an entry of the menu that grants it', () => {
  const entries = menuCatalogue().filter(({ kind }) => kind === 'page');
  for (const page of pages) {
    if (page.parent) expect(pages.map(({ path }) => path)).toContain(page.parent);
    expect(
      entries.map(({ key }) => key),
      page.path,
    ).toContain(menuKeyOf(pages, page));
  }
});

it('entries of the menu have keys and positions of their own, and stand in groups that exist', () => {
  const entries = menuCatalogue();
  const groups = entries.filter(({ kind }) => kind === 'group').map(({ key }) => key);
  expect(new Set(entries.map(({ key }) => key)).size).toBe(entries.length);
  expect(new Set(entries.map(({ position }) => position)).size).toBe(entries.length);
  for (const { key, parent, kind, operations } of entries) {
    if (parent) expect(groups, key).toContain(parent);
    expect(operations.length > 0, key).toBe(kind !== 'group');
  }
});

const one = { title: { zh: '一', en: 'One' }, messages: [], load: async () => ({ default: () => null }) };
const some = [
  { ...one, path: '/a/:id', parent: '/a' },
  { ...one, path: '/a/new', parent: '/a/:id' },
  { ...one, path: '/a', menu: { position: 1, operations: ['view' as const] } },
  { ...one, path: '/b', menu: 'a' },
];

it('an exact path wins over a pattern', () => {
  expect(findPage(some, '/a/new')?.path).toBe('/a/new');
  expect(findPage(some, '/a/7')?.path).toBe('/a/:id');
  expect(findPage(some, '/c')).toBeUndefined();
});

it('breadcrumbs run from the topmost page', () => {
  const page = findPage(some, '/a/7');
  expect(page && breadcrumbTrail(some, page).map(({ path }) => path)).toEqual(['/a', '/a/:id']);
});

it('a page is granted by its own entry, the one it names, or the one of the page above it', () => {
  expect(some.map((page) => menuKeyOf(some, page))).toEqual(['a', 'a', 'a', 'a']);
});

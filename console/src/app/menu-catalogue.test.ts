import { expect, it } from 'vitest';
import { menuCatalogue } from './menu-catalogue';
import { pages } from './pages';

const keysIn = (group?: string) =>
  menuCatalogue()
    .filter(({ kind, parent }) => kind === 'page' && parent === group)
    .map(({ key }) => key);

/** The specification's groups (2.3). */
it.each([
  ['data-service', ['api-group', 'api-app', 'api-log']],
  [
    'monitor',
    ['index-statistics', 'load-statistics', 'anomaly-statistics', 'pubAndSub-statistics', 'operation-log'],
  ],
  [
    'system',
    [
      'message-management',
      'alert-rule',
      'bus-sys-parameter',
      'network-configuration',
      'zbmq-management',
      'register',
      'service_management',
    ],
  ],
  ['policy', ['define', 'distribute']],
  ['resource', ['search', 'sqlManagement', 'translation', 'recycleBin', 'encodeTool', 'article']],
  ['authority-management', ['menu-management', 'dept-management', 'user-management', 'role-management']],
])('the group %s has its pages in the specified order', (group, children) => {
  const specified = children.map((child) => `${group}/${child}`);
  expect(keysIn(group).filter((key) => specified.includes(key))).toEqual(specified);
});

it('the specified pages outside of groups have entries', () => {
  const specified = ['home', 'index', 'container', 'sync-link', 'subscribe', 'stream', 'publish', 'databus'];
  expect(keysIn().filter((key) => specified.includes(key))).toEqual(specified);
  for (const key of ['sync-task', 'customer', 'task', 'overview-monitor', 'flow-path', 'linkMonitor'])
    expect(keysIn()).toContain(key);
  for (const key of ['point-to-point-v1', 'disclaimers']) expect(keysIn()).toContain(key);
});

it('the specified names of menus are titles', () => {
  const titles = [...menuCatalogue().map(({ title_zh }) => title_zh), ...pages.map(({ title }) => title.zh)];
  for (const name of [
    '数据监控',
    '数据库管理',
    '发布数据配置',
    '容器列表',
    '容器详情',
    '任务计划',
    '监控大屏',
    '指标统计',
    '同步图',
    '链路统计',
  ])
    expect(titles).toContain(name);
  for (const name of [
    '加工数据表',
    '订阅数据表',
    '实时数据表',
    '登录日志',
    '缓存管理',
    '租户管理',
    '策略定义',
    '策略分发',
    '拓扑图',
  ])
    expect(titles).toContain(name);
});

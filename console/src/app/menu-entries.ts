import {
  ApiOutlined,
  AuditOutlined,
  DeploymentUnitOutlined,
  SettingOutlined,
  TeamOutlined,
  ToolOutlined,
} from '@ant-design/icons';
import type { MenuEntryDefinition } from '@/shared/pages/definition';

/** Menu entries that are no pages: groups, and permissions for parts of the frame. A page has its own entry. */
export const menuEntries: readonly MenuEntryDefinition[] = [
  {
    key: 'data-service',
    kind: 'group',
    title: { zh: '数据服务', en: 'Data service' },
    position: 8_000,
    icon: ApiOutlined,
    operations: [],
  },
  {
    key: 'policy',
    kind: 'group',
    title: { zh: '策略管理', en: 'Policies' },
    position: 14_400,
    icon: DeploymentUnitOutlined,
    operations: [],
  },
  {
    key: 'monitor',
    kind: 'group',
    title: { zh: '数据监控', en: 'Monitoring' },
    position: 15_000,
    icon: AuditOutlined,
    operations: [],
  },
  // The chain of the operation log has the records of every tenant.
  {
    key: 'Monitor.LogProof',
    kind: 'permission',
    title: { zh: '操作日志：校验与外发', en: 'Operation log: verify and stream' },
    position: 15_150,
    group: 'monitor',
    operations: ['view', 'operate'],
    administrative: true,
    wholePlatform: true,
  },
  {
    key: 'resource',
    kind: 'group',
    title: { zh: '资源工具', en: 'Resource tools' },
    position: 16_000,
    icon: ToolOutlined,
    operations: [],
  },
  // To change data with SQL: without it SQL management only reads.
  {
    key: 'Resource.SqlWrite',
    kind: 'permission',
    title: { zh: 'SQL 管理：修改数据', en: 'SQL management: change data' },
    position: 16_500,
    group: 'resource',
    operations: ['operate'],
    administrative: true,
  },
  // To see values of records on the message bus: without it its page shows tables, columns and counts.
  {
    key: 'System.BusValues',
    kind: 'permission',
    title: { zh: '消息总线管理：查看数据值', en: 'Message bus: see values' },
    position: 25_400,
    group: 'system',
    operations: ['view'],
    administrative: true,
  },
  // What the toolset in the console's head offers.
  {
    key: 'Resource.Article',
    kind: 'permission',
    title: { zh: '工具集：帮助文章', en: 'Toolset: help articles' },
    position: 19_000,
    group: 'resource',
    operations: ['view'],
    forRemote: true,
  },
  {
    key: 'Resource.EncodeTool',
    kind: 'permission',
    title: { zh: '工具集：加密工具', en: 'Toolset: encryption tool' },
    position: 20_000,
    group: 'resource',
    operations: ['view'],
    administrative: true,
  },
  {
    key: 'Toolset.disclaimers',
    kind: 'permission',
    title: { zh: '工具集：免责声明', en: 'Toolset: disclaimers' },
    position: 21_000,
    group: 'resource',
    operations: ['view'],
    forRemote: true,
  },
  // Who sees the state of the registration.
  {
    key: 'System.Register',
    kind: 'permission',
    title: { zh: '产品注册提示', en: 'Registration notice' },
    position: 23_000,
    operations: ['view'],
    administrative: true,
  },
  {
    key: 'system',
    kind: 'group',
    title: { zh: '系统设置', en: 'System settings' },
    position: 24_000,
    icon: SettingOutlined,
    operations: [],
  },
  {
    key: 'authority-management',
    kind: 'group',
    title: { zh: '权限管理', en: 'Authority' },
    position: 27_000,
    icon: TeamOutlined,
    operations: [],
  },
];

import { DeploymentUnitOutlined } from '@ant-design/icons';
import { definePages, type PageDefinition } from '@/shared/pages/definition';

const messages: PageDefinition['messages'] = ['authority', 'person'];

export const pages = definePages(
  {
    path: '/authority-management/menu-management',
    title: { zh: '菜单管理', en: 'Menus' },
    menu: {
      position: 28_000,
      group: 'authority-management',
      operations: ['view', 'create', 'edit', 'delete'],
      administrative: true,
      wholePlatform: true,
    },
    load: () => import('./menus-page'),
    messages,
  },
  {
    path: '/authority-management/dept-management',
    title: { zh: '部门管理', en: 'Departments' },
    menu: {
      position: 29_000,
      group: 'authority-management',
      operations: ['view', 'create', 'edit', 'delete'],
      administrative: true,
    },
    load: () => import('./departments-page'),
    messages,
  },
  {
    path: '/authority-management/user-management',
    title: { zh: '用户管理', en: 'Users' },
    menu: {
      position: 30_000,
      group: 'authority-management',
      operations: ['view', 'create', 'edit', 'delete'],
      administrative: true,
    },
    load: () => import('./users-page'),
    messages,
  },
  {
    path: '/authority-management/role-management',
    title: { zh: '角色管理', en: 'Roles' },
    menu: {
      position: 31_000,
      group: 'authority-management',
      operations: ['view', 'create', 'edit', 'delete'],
      administrative: true,
    },
    load: () => import('./roles-page'),
    messages,
  },
  {
    path: '/authority-management/service-accounts',
    title: { zh: '服务账号', en: 'Service accounts' },
    menu: {
      position: 31_500,
      group: 'authority-management',
      operations: ['view', 'create', 'edit', 'delete'],
      administrative: true,
    },
    load: () => import('./service-accounts-page'),
    messages,
  },
  {
    path: '/customer',
    title: { zh: '租户管理', en: 'Tenants' },
    menu: {
      position: 32_000,
      icon: DeploymentUnitOutlined,
      operations: ['view', 'create', 'edit', 'delete'],
      administrative: true,
      wholePlatform: true,
    },
    load: () => import('./tenants-page'),
    messages,
  },
);

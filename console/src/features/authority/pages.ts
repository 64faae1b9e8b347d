import type { PageDefinition } from '@/shared/pages/definition';

const messages: PageDefinition['messages'] = ['authority', 'person'];

export const pages: PageDefinition[] = [
  {
    path: '/authority-management/menu-management',
    title: 'authority-management/menu-management',
    menu: 'authority-management/menu-management',
    load: () => import('./menus-page'),
    messages,
  },
  {
    path: '/authority-management/dept-management',
    title: 'authority-management/dept-management',
    menu: 'authority-management/dept-management',
    load: () => import('./departments-page'),
    messages,
  },
  {
    path: '/authority-management/user-management',
    title: 'authority-management/user-management',
    menu: 'authority-management/user-management',
    load: () => import('./users-page'),
    messages,
  },
  {
    path: '/authority-management/role-management',
    title: 'authority-management/role-management',
    menu: 'authority-management/role-management',
    load: () => import('./roles-page'),
    messages,
  },
  { path: '/customer', title: 'customer', menu: 'customer', load: () => import('./tenants-page'), messages },
];

import { SendOutlined } from '@ant-design/icons';
import { definePages } from '@/shared/pages/definition';

export const pages = definePages(
  {
    path: '/publish',
    title: { zh: '发布', en: 'Publish' },
    menu: {
      position: 6_000,
      icon: SendOutlined,
      operations: ['view', 'create', 'edit', 'delete', 'operate'],
    },
    load: () => import('./list-page'),
    messages: ['publish', 'metric', 'sync', 'data-source'],
  },
  {
    path: '/publishsubdetail/:type/:id',
    title: { zh: '发布数据配置', en: 'Publish configuration' },
    load: () => import('./detail-page'),
    messages: ['publish', 'metric', 'sync', 'data-source'],
    parent: '/publish',
  },
  {
    path: '/subscribe/database-config/:configType',
    title: { zh: '数据库配置', en: 'Database configuration' },
    load: () => import('./database-config-page'),
    messages: ['publish', 'data-source'],
    parent: '/publish',
    // It holds a password.
    noCache: true,
  },
);

import { definePages } from '@/shared/pages/definition';

export const pages = definePages({
  path: '/system/service_management',
  title: { zh: '服务管理', en: 'Services' },
  menu: { position: 26_000, group: 'system', operations: ['view', 'create', 'edit', 'delete', 'operate'] },
  load: () => import('./services-page'),
  messages: ['service', 'machine', 'metric'],
});

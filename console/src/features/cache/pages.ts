import { definePages } from '@/shared/pages/definition';

export const pages = definePages({
  path: '/system/cache-management',
  title: { zh: '缓存管理', en: 'Cache management' },
  menu: { position: 25_800, group: 'system', operations: ['view', 'operate'], administrative: true },
  load: () => import('./cache-page'),
  messages: ['cache'],
});

import { definePages } from '@/shared/pages/definition';

export const pages = definePages({
  path: '/simplify-sync',
  title: { zh: '极简同步', en: 'Simplified sync' },
  untitled: true,
  load: () => import('./simplify-page'),
  messages: ['simplify-sync', 'sync'],
  parent: '/sync-link',
});

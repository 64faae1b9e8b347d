import { definePages } from '@/shared/pages/definition';

export const pages = definePages({
  path: '/monitor/load-statistics',
  title: { zh: '装载统计', en: 'Load statistics' },
  menu: { position: 15_050, group: 'monitor', operations: ['view'] },
  load: () => import('./load-page'),
  messages: ['statistics'],
});

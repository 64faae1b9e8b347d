import { definePages } from '@/shared/pages/definition';

export const pages = definePages({
  path: '/monitor/log-search',
  title: { zh: '日志检索', en: 'Log search' },
  menu: { position: 15_090, group: 'monitor', operations: ['view'] },
  load: () => import('./search-page'),
  messages: ['log-search', 'logs', 'metric'],
});

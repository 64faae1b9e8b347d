import { definePages } from '@/shared/pages/definition';

export const pages = definePages({
  // Of each kind is found what the viewer may see on its own page.
  path: '/resource/search',
  title: { zh: '搜索', en: 'Search' },
  menu: { position: 16_200, group: 'resource', operations: ['view'] },
  load: () => import('./search-page'),
  messages: ['search'],
});

import type { PageDefinition } from '@/shared/pages/definition';

export const pages: PageDefinition[] = [
  {
    path: '/data-service/api-group',
    title: 'data-service/api-group',
    menu: 'data-service/api-group',
    load: () => import('./groups-page'),
    messages: ['data-service', 'data-source'],
  },
  {
    path: '/data-service/api-app',
    title: 'data-service/api-app',
    menu: 'data-service/api-app',
    load: () => import('./apps-page'),
    messages: ['data-service'],
  },
  {
    path: '/data-service/api-log',
    title: 'data-service/api-log',
    menu: 'data-service/api-log',
    load: () => import('./log-page'),
    messages: ['data-service'],
  },
];

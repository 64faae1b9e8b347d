import { definePages } from '@/shared/pages/definition';

export const pages = definePages(
  {
    path: '/data-service/api-group',
    title: { zh: 'API 分组', en: 'API groups' },
    menu: {
      position: 9_000,
      group: 'data-service',
      operations: ['view', 'create', 'edit', 'delete', 'operate'],
    },
    load: () => import('./groups-page'),
    messages: ['data-service', 'data-source'],
  },
  {
    // A user who creates apps gives out keys to the data.
    path: '/data-service/api-app',
    title: { zh: 'API 应用', en: 'API apps' },
    menu: { position: 10_000, group: 'data-service', operations: ['view', 'create', 'edit', 'delete'] },
    load: () => import('./apps-page'),
    messages: ['data-service'],
  },
  {
    path: '/data-service/api-log',
    title: { zh: 'API 日志', en: 'API log' },
    menu: { position: 11_000, group: 'data-service', operations: ['view'] },
    load: () => import('./log-page'),
    messages: ['data-service'],
  },
);

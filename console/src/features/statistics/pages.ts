import { definePages } from '@/shared/pages/definition';

export const pages = definePages(
  {
    path: '/monitor/index-statistics',
    title: { zh: '指标统计', en: 'Key figures' },
    menu: { position: 15_030, group: 'monitor', operations: ['view'] },
    load: () => import('./index-page'),
    messages: ['statistics', 'metric'],
  },
  {
    path: '/monitor/load-statistics',
    title: { zh: '装载统计', en: 'Load statistics' },
    menu: { position: 15_050, group: 'monitor', operations: ['view'] },
    load: () => import('./load-page'),
    messages: ['statistics'],
  },
  {
    path: '/monitor/anomaly-statistics',
    title: { zh: '异常统计', en: 'Anomalies' },
    menu: { position: 15_070, group: 'monitor', operations: ['view'] },
    load: () => import('./anomaly-page'),
    messages: ['statistics'],
  },
  {
    path: '/monitor/pubAndSub-statistics',
    title: { zh: '发布订阅统计', en: 'Publish and subscribe' },
    menu: { position: 15_080, group: 'monitor', operations: ['view'] },
    load: () => import('./flow-page'),
    messages: ['statistics', 'metric'],
  },
);

import { definePages } from '@/shared/pages/definition';

export const pages = definePages(
  {
    path: '/monitor/operation-log',
    title: { zh: '操作日志', en: 'Operation log' },
    menu: { position: 15_100, group: 'monitor', operations: ['view'], administrative: true },
    load: () => import('./operation-log-page'),
    messages: ['audit-log'],
  },
  {
    path: '/system/login-log',
    title: { zh: '登录日志', en: 'Login log' },
    menu: { position: 25_700, group: 'system', operations: ['view'], administrative: true },
    load: () => import('./login-log-page'),
    messages: ['audit-log'],
  },
);

import { definePages } from '@/shared/pages/definition';

export const pages = definePages({
  path: '/system/register',
  title: { zh: '产品注册', en: 'Registration' },
  menu: {
    position: 25_500,
    group: 'system',
    operations: ['view', 'edit'],
    administrative: true,
    wholePlatform: true,
  },
  load: () => import('./registration-page'),
  messages: ['registration'],
});

import { definePages } from '@/shared/pages/definition';

export const pages = definePages({
  path: '/system/network-configuration',
  title: { zh: '网络配置', en: 'Network' },
  menu: {
    position: 25_200,
    group: 'system',
    operations: ['view', 'create', 'edit', 'delete'],
    // A route leads into networks that the platform's hosts do not reach by themselves.
    administrative: true,
  },
  load: () => import('./network-route-page'),
  messages: ['network-route'],
});

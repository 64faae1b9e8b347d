import { definePages } from '@/shared/pages/definition';

export const pages = definePages({
  path: '/system/message-management',
  title: { zh: '消息管理', en: 'Messages' },
  menu: {
    position: 24_500,
    group: 'system',
    operations: ['view', 'create', 'edit', 'delete', 'operate'],
    // A receiver may get alerts of the whole tenant.
    administrative: true,
  },
  load: () => import('./message-page'),
  messages: ['notification'],
});

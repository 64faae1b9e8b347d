import { definePages } from '@/shared/pages/definition';

export const pages = definePages({
  // Records have rows of every replicated table; values need the permission System.BusValues as well.
  path: '/system/zbmq-management',
  title: { zh: '消息总线管理', en: 'Message bus' },
  menu: { position: 25_300, group: 'system', operations: ['view', 'edit', 'delete'], administrative: true },
  load: () => import('./message-bus-page'),
  messages: ['message-bus'],
});

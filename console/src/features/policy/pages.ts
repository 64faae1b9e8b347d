import { definePages } from '@/shared/pages/definition';

export const pages = definePages(
  {
    path: '/policy/define',
    title: { zh: '策略定义', en: 'Policy definition' },
    menu: {
      position: 14_410,
      group: 'policy',
      operations: ['view', 'create', 'edit', 'delete', 'operate'],
    },
    load: () => import('./define-page'),
    messages: ['policy'],
  },
  {
    path: '/policy/define/data-sheet',
    title: { zh: '策略数据表', en: 'Policy tables' },
    load: () => import('./sheet-page'),
    messages: ['policy'],
    parent: '/policy/define',
  },
  {
    // Users who distribute need the rights for subscriptions too: the server checks them.
    path: '/policy/distribute',
    title: { zh: '策略分发', en: 'Policy distribution' },
    menu: { position: 14_420, group: 'policy', operations: ['view', 'operate', 'delete'] },
    load: () => import('./distribute-page'),
    messages: ['policy', 'state'],
  },
);

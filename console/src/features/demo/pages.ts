import { definePages, type PageDefinition } from '@/shared/pages/definition';

const shown = {
  menu: 'sync-link',
  offMenu: true,
  messages: ['demo', 'data-source', 'sync', 'machine'],
} as const satisfies Partial<PageDefinition>;

/**
 * The components that every page stands on, over this installation's own data. They are on no menu. The tables show the
 * operation log, which the server refuses to those who may not read it.
 */
export const pages = definePages(
  {
    ...shown,
    path: '/demo',
    title: { zh: '组件示例', en: 'Component demo' },
    load: () => import('./demo-page'),
  },
  {
    ...shown,
    path: '/vxe-table',
    title: { zh: '表格示例', en: 'Table demo' },
    load: () => import('./table-page'),
  },
  {
    ...shown,
    path: '/vxe-table2',
    title: { zh: '表格示例 2', en: 'Table demo 2' },
    load: () => import('./long-table-page'),
  },
);

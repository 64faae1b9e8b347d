import type { PageDefinition } from '@/shared/pages/definition';

const messages = ['demo', 'data-source', 'sync'] as const;

/** The components that every page stands on, over this installation's own data. They are on no menu. */
export const pages: PageDefinition[] = [
  { path: '/demo', title: 'demo', menu: 'sync-link', load: () => import('./demo-page'), messages },
  {
    path: '/vxe-table',
    title: 'vxe-table',
    menu: 'monitor/operation-log',
    load: () => import('./table-page'),
    messages,
  },
  {
    path: '/vxe-table2',
    title: 'vxe-table2',
    menu: 'monitor/operation-log',
    load: () => import('./long-table-page'),
    messages,
  },
];

import type { PageDefinition } from '@/shared/pages/definition';

const messages = ['demo', 'data-source', 'sync', 'machine'] as const;

/**
 * The components that every page stands on, over this installation's own data. They are on no menu. The tables show the
 * operation log, which the server refuses to those who may not read it.
 */
export const pages: PageDefinition[] = [
  { path: '/demo', title: 'demo', menu: 'sync-link', load: () => import('./demo-page'), messages },
  {
    path: '/vxe-table',
    title: 'vxe-table',
    menu: 'sync-link',
    load: () => import('./table-page'),
    messages,
  },
  {
    path: '/vxe-table2',
    title: 'vxe-table2',
    menu: 'sync-link',
    load: () => import('./long-table-page'),
    messages,
  },
];

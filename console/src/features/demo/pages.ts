import type { PageDefinition } from '@/shared/pages/definition';

const shown = {
  menu: 'sync-link',
  offMenu: true,
  messages: ['demo', 'data-source', 'sync', 'machine'],
} as const satisfies Partial<PageDefinition>;

/**
 * The components that every page stands on, over this installation's own data. They are on no menu. The tables show the
 * operation log, which the server refuses to those who may not read it.
 */
export const pages: PageDefinition[] = [
  { ...shown, path: '/demo', title: 'demo', load: () => import('./demo-page') },
  { ...shown, path: '/vxe-table', title: 'vxe-table', load: () => import('./table-page') },
  { ...shown, path: '/vxe-table2', title: 'vxe-table2', load: () => import('./long-table-page') },
];

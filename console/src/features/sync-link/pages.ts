import type { PageDefinition } from '@/shared/pages/definition';

export const pages: PageDefinition[] = [
  {
    path: '/sync-link',
    title: 'sync-link',
    menu: 'sync-link',
    load: () => import('./list-page'),
    messages: ['sync-link', 'sync', 'data-source'],
  },
  {
    path: '/sync-link/new',
    title: 'sync-link-new',
    menu: 'sync-link',
    load: () => import('./wizard/new-link-page'),
    messages: ['sync-link', 'sync', 'data-source'],
    parent: '/sync-link',
  },
  {
    path: '/sync-link-config/:id',
    title: 'sync-link-config',
    menu: 'sync-link',
    load: () => import('./detail-page'),
    messages: ['sync-link', 'sync', 'data-source', 'machine', 'row-error'],
    parent: '/sync-link',
  },
];

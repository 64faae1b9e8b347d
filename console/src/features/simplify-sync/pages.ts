import type { PageDefinition } from '@/shared/pages/definition';

export const pages: PageDefinition[] = [
  {
    path: '/simplify-sync',
    title: 'simplify-sync',
    menu: 'sync-link',
    untitled: true,
    load: () => import('./simplify-page'),
    messages: ['simplify-sync', 'sync'],
    parent: '/sync-link',
  },
];

import type { PageDefinition } from '@/shared/pages/definition';

export const pages: PageDefinition[] = [
  {
    path: '/sync-task',
    title: 'sync-task',
    menu: 'sync-task',
    load: () => import('./list-page'),
    messages: ['sync-task', 'sync'],
  },
  {
    path: '/sync-task-config/:id',
    title: 'sync-task-config',
    menu: 'sync-task',
    load: () => import('./detail-page'),
    messages: ['sync-task', 'sync', 'row-error'],
    parent: '/sync-task',
  },
];

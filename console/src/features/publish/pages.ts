import type { PageDefinition } from '@/shared/pages/definition';

export const pages: PageDefinition[] = [
  {
    path: '/publish',
    title: 'publish',
    menu: 'publish',
    load: () => import('./list-page'),
    messages: ['publish', 'sync', 'data-source'],
  },
  {
    path: '/publishsubdetail/:type/:id',
    title: 'publishsubdetail',
    menu: 'publish',
    load: () => import('./detail-page'),
    messages: ['publish', 'sync', 'data-source'],
    parent: '/publish',
  },
  {
    path: '/subscribe/database-config/:configType',
    title: 'subscribe/database-config',
    menu: 'publish',
    load: () => import('./database-config-page'),
    messages: ['publish', 'data-source'],
    parent: '/publish',
    // It holds a password.
    noCache: true,
  },
];

import type { PageDefinition } from '@/shared/pages/definition';

export const pages: PageDefinition[] = [
  {
    path: '/subscribe',
    title: 'subscribe',
    menu: 'subscribe',
    load: () => import('./masters-page'),
    messages: ['subscribe', 'sync'],
  },
  {
    path: '/subscribe/customer',
    title: 'subscribe/customer',
    menu: 'subscribe',
    load: () => import('./customers-page'),
    messages: ['subscribe', 'sync', 'data-source'],
    parent: '/subscribe',
  },
  {
    path: '/subscribe/database-admin',
    title: 'subscribe/database-admin',
    menu: 'subscribe',
    load: () => import('./databases-page'),
    messages: ['subscribe', 'sync', 'data-source'],
    parent: '/subscribe',
  },
  {
    path: '/subscribe/data-sheet',
    title: 'subscribe/data-sheet',
    menu: 'subscribe',
    load: () => import('./sheet-page'),
    messages: ['subscribe', 'sync', 'row-error'],
    parent: '/subscribe',
  },
  {
    // Before the page of the same pattern that asks for a publish node's database.
    path: '/subscribe/database-config/subscribe',
    title: 'subscribe/database-config',
    menu: 'subscribe',
    load: () => import('./database-config-page'),
    messages: ['subscribe', 'data-source'],
    parent: '/subscribe/database-admin',
    // It holds a password.
    noCache: true,
  },
];

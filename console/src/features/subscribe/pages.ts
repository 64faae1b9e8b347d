import type { PageDefinition } from '@/shared/pages/definition';
import { pageOf } from './audience';

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
  {
    path: '/databus',
    title: 'databus',
    menu: 'databus',
    load: () => pageOf('databus', import('./masters-page')),
    messages: ['databus', 'subscribe', 'sync'],
  },
  {
    path: '/databus/process',
    title: 'databus/process',
    menu: 'databus',
    load: () => pageOf('databus', import('./customers-page')),
    messages: ['databus', 'subscribe', 'sync', 'data-source'],
    parent: '/databus',
  },
  {
    path: '/databus/database-admin',
    title: 'databus/database-admin',
    menu: 'databus',
    load: () => pageOf('databus', import('./databases-page')),
    messages: ['databus', 'subscribe', 'sync', 'data-source'],
    parent: '/databus',
  },
  {
    path: '/databus/data-sheet',
    title: 'databus/data-sheet',
    menu: 'databus',
    load: () => pageOf('databus', import('./sheet-page')),
    messages: ['databus', 'subscribe', 'sync', 'row-error'],
    parent: '/databus',
  },
  {
    path: '/subscribe/database-config/databus',
    title: 'subscribe/database-config',
    menu: 'databus',
    load: () => pageOf('databus', import('./database-config-page')),
    messages: ['databus', 'subscribe', 'data-source'],
    parent: '/databus/database-admin',
    // It holds a password.
    noCache: true,
  },
  {
    path: '/stream/customer',
    title: 'stream/customer',
    menu: 'stream',
    load: () => pageOf('stream', import('./customers-page')),
    messages: ['stream-customer', 'subscribe', 'sync', 'data-source'],
    parent: '/stream',
  },
  {
    path: '/stream/database-admin',
    title: 'stream/database-admin',
    menu: 'stream',
    load: () => pageOf('stream', import('./databases-page')),
    messages: ['stream-customer', 'subscribe', 'sync', 'data-source'],
    parent: '/stream',
  },
  {
    path: '/subscribe/database-config/stream',
    title: 'subscribe/database-config',
    menu: 'stream',
    load: () => pageOf('stream', import('./database-config-page')),
    messages: ['stream-customer', 'subscribe', 'data-source'],
    parent: '/stream/database-admin',
    // It holds a password.
    noCache: true,
  },
];

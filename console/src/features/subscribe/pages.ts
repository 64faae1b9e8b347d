import type { PageDefinition } from '@/shared/pages/definition';
import { ofProcesses } from './audience';

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
    load: () => ofProcesses(import('./masters-page')),
    messages: ['databus', 'subscribe', 'sync'],
  },
  {
    path: '/databus/process',
    title: 'databus/process',
    menu: 'databus',
    load: () => ofProcesses(import('./customers-page')),
    messages: ['databus', 'subscribe', 'sync', 'data-source'],
    parent: '/databus',
  },
  {
    path: '/databus/database-admin',
    title: 'databus/database-admin',
    menu: 'databus',
    load: () => ofProcesses(import('./databases-page')),
    messages: ['databus', 'subscribe', 'sync', 'data-source'],
    parent: '/databus',
  },
  {
    path: '/databus/data-sheet',
    title: 'databus/data-sheet',
    menu: 'databus',
    load: () => ofProcesses(import('./sheet-page')),
    messages: ['databus', 'subscribe', 'sync', 'row-error'],
    parent: '/databus',
  },
  {
    path: '/subscribe/database-config/databus',
    title: 'subscribe/database-config',
    menu: 'databus',
    load: () => ofProcesses(import('./database-config-page')),
    messages: ['databus', 'subscribe', 'data-source'],
    parent: '/databus/database-admin',
    // It holds a password.
    noCache: true,
  },
];

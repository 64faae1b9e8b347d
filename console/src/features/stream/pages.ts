import type { PageDefinition } from '@/shared/pages/definition';

export const pages: PageDefinition[] = [
  {
    path: '/stream',
    title: 'stream',
    menu: 'stream',
    load: () => import('./list-page'),
    messages: ['stream'],
  },
  {
    path: '/stream/data-sheet',
    title: 'stream/data-sheet',
    menu: 'stream',
    load: () => import('./sheet-page'),
    messages: ['stream'],
    parent: '/stream',
  },
];

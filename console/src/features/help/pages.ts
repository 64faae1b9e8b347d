import type { PageDefinition } from '@/shared/pages/definition';

export const pages: PageDefinition[] = [
  {
    path: '/resource/article',
    title: 'resource/article',
    menu: 'resource/article',
    load: () => import('./article-page'),
    messages: ['help'],
  },
  {
    path: '/disclaimers',
    title: 'disclaimers',
    menu: 'disclaimers',
    load: () => import('./disclaimers-page'),
    messages: ['help'],
    untitled: true,
  },
];

import type { PageDefinition } from '@/shared/pages/definition';

export const pages: PageDefinition[] = [
  {
    path: '/flow-path',
    title: 'flow-path',
    menu: 'flow-path',
    load: () => import('./flow-page'),
    messages: ['flow-path'],
  },
  {
    path: '/resource/graph',
    title: 'resource/graph',
    menu: 'flow-path',
    load: () => import('./topology-page'),
    messages: ['flow-path'],
    parent: '/flow-path',
  },
];

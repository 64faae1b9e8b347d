import type { PageDefinition } from '@/shared/pages/definition';

const messages: PageDefinition['messages'] = ['container', 'machine', 'service'];

export const pages: PageDefinition[] = [
  { path: '/container', title: 'container', menu: 'container', load: () => import('./list-page'), messages },
  {
    path: '/containerdetail/:id',
    title: 'containerdetail',
    menu: 'container',
    load: () => import('./detail-page'),
    messages,
    parent: '/container',
  },
];

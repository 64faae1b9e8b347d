import type { PageDefinition } from '@/shared/pages/definition';

export const pages: PageDefinition[] = [
  {
    path: '/home',
    title: 'home',
    menu: 'home',
    load: () => import('./home-page'),
    messages: ['home', 'sync'],
    affix: true,
    hideBreadcrumb: true,
  },
];

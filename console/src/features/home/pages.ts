import type { PageDefinition } from '@/shared/pages/definition';

export const pages: PageDefinition[] = [
  {
    path: '/home',
    title: 'home',
    menu: 'home',
    load: () => import('./home-page'),
    affix: true,
    hideBreadcrumb: true,
  },
];

import type { PageDefinition } from '@/shared/pages/definition';

export const pages: PageDefinition[] = [
  {
    path: '/system/service_management',
    title: 'system/service_management',
    menu: 'system/service_management',
    load: () => import('./services-page'),
    messages: ['service', 'machine'],
  },
];

import type { PageDefinition } from '@/shared/pages/definition';

export const pages: PageDefinition[] = [
  {
    path: '/linkMonitor',
    title: 'linkMonitor',
    menu: 'linkMonitor',
    load: () => import('./monitor-page'),
    messages: ['link-monitor'],
  },
];

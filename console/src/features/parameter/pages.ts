import type { PageDefinition } from '@/shared/pages/definition';

export const pages: PageDefinition[] = [
  {
    path: '/system/bus-sys-parameter',
    title: 'system/bus-sys-parameter',
    menu: 'system/bus-sys-parameter',
    load: () => import('./parameters-page'),
    messages: ['parameter'],
  },
];

import type { PageDefinition } from '@/shared/pages/definition';

export const pages: PageDefinition[] = [
  {
    path: '/resource/encodeTool',
    title: 'resource/encodeTool',
    menu: 'resource/encodeTool',
    load: () => import('./encode-tool-page'),
    messages: ['encode-tool'],
  },
];

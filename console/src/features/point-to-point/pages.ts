import type { PageDefinition } from '@/shared/pages/definition';

const shared = {
  title: 'point-to-point',
  menu: 'point-to-point-v1',
  untitled: true,
  messages: ['point-to-point', 'sync'],
} as const;

const list = { ...shared, load: () => import('./ways-page') };

export const pages: PageDefinition[] = [
  { ...list, path: '/point-to-point' },
  { ...list, path: '/point-to-point-v' },
  { ...shared, path: '/point-to-point-v1', load: () => import('./canvas-page') },
  { ...shared, path: '/point-to-point-v2', load: () => import('./screen-page') },
];

import { SwapOutlined } from '@ant-design/icons';
import { definePages, type PageDefinition } from '@/shared/pages/definition';

const shared = {
  title: { zh: '点对点同步', en: 'Point to point' },
  menu: 'point-to-point-v1',
  untitled: true,
  messages: ['point-to-point', 'sync'],
} as const satisfies Partial<PageDefinition>;

const list = { ...shared, load: () => import('./ways-page') };

export const pages = definePages(
  { ...list, path: '/point-to-point' },
  { ...list, path: '/point-to-point-v' },
  {
    ...shared,
    path: '/point-to-point-v1',
    menu: { position: 13_000, icon: SwapOutlined, operations: ['view'] },
    load: () => import('./canvas-page'),
  },
  { ...shared, path: '/point-to-point-v2', load: () => import('./screen-page') },
);

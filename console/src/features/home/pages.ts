import { HomeOutlined } from '@ant-design/icons';
import { definePages, type PageDefinition } from '@/shared/pages/definition';
import { fetchAhead } from './queries';

const home = {
  title: { zh: '首页', en: 'Home' },
  load: () => import('./home-page'),
  messages: ['home', 'sync', 'machine'],
  fetchAhead,
  affix: true,
  hideBreadcrumb: true,
} as const satisfies Partial<PageDefinition>;

export const pages = definePages(
  {
    ...home,
    path: '/home',
    menu: { position: 0, icon: HomeOutlined, operations: ['view'], forRemote: true },
  },
  // A remote client's home has an address of its own; what it shows is that client's in either case.
  { ...home, path: '/index', menu: 'home' },
);

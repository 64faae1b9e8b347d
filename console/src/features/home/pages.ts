import type { PageDefinition } from '@/shared/pages/definition';
import { fetchAhead } from './queries';

const home: Omit<PageDefinition, 'path' | 'title'> = {
  menu: 'home',
  load: () => import('./home-page'),
  messages: ['home', 'sync', 'machine'],
  fetchAhead,
  affix: true,
  hideBreadcrumb: true,
};

/** A remote client's home has an address of its own; what it shows is that client's in either case. */
export const pages: PageDefinition[] = [
  { ...home, path: '/home', title: 'home' },
  { ...home, path: '/index', title: 'index' },
];

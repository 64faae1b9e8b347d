import { expect, it } from 'vitest';
import { menuKeys } from '@/shared/pages/menu-keys';
import menuEnglish from './locales/en/menu.json';
import { breadcrumbTrail, findPage, findRoute } from './match';
import { pages } from './pages';
import { redirects } from './redirects';
import { specifiedRoutes } from './routes';

it('every page has a title and a parent that exists', () => {
  for (const page of pages) {
    expect(menuEnglish).toHaveProperty([page.title]);
    if (page.parent) expect(pages.map(({ path }) => path)).toContain(page.parent);
  }
});

it('every menu entry has a title and a route of the specification', () => {
  for (const key of menuKeys) {
    expect(menuEnglish).toHaveProperty([key]);
    expect(findRoute(`/${key}`)?.title ?? redirects[`/${key}`], key).toBeTruthy();
  }
});

it('every route of the specification has a title, and every redirect leads to one', () => {
  for (const { title } of specifiedRoutes) expect(menuEnglish).toHaveProperty([title]);
  for (const target of Object.values(redirects)) expect(findRoute(target)?.path).toBe(target);
});

const some = [
  { ...pages[0], path: '/a/:id', parent: '/a' },
  { ...pages[0], path: '/a/new', parent: '/a' },
  { ...pages[0], path: '/a' },
] as typeof pages;

it('an exact path wins over a pattern', () => {
  expect(findPage(some, '/a/new')?.path).toBe('/a/new');
  expect(findPage(some, '/a/7')?.path).toBe('/a/:id');
  expect(findPage(some, '/b')).toBeUndefined();
});

it('breadcrumbs run from the topmost page', () => {
  const page = findPage(some, '/a/7');
  expect(page && breadcrumbTrail(some, page).map(({ path }) => path)).toEqual(['/a', '/a/:id']);
});

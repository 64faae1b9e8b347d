import { expect, it } from 'vitest';
import menuEnglish from './locales/en/menu.json';
import { breadcrumbTrail, findPage } from './match';
import { menuCatalogue } from './menu';
import { pages } from './pages';

it('every page has a title and a parent that exists', () => {
  for (const page of pages) {
    expect(menuEnglish).toHaveProperty(page.title);
    if (page.parent) expect(pages.map(({ path }) => path)).toContain(page.parent);
  }
});

it('every menu entry opens a page', () => {
  for (const { key } of menuCatalogue) expect(findPage(pages, `/${key}`)?.menu).toBe(key);
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

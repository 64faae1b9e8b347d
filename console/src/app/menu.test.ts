import { expect, it } from 'vitest';
import type { MenuKey } from '@/shared/pages/definition';
import { grantedMenu, type MenuItem, menuCatalogue, parentOf } from './menu';

it('shows what is granted, in the order of the grant', () => {
  const keys = grantedMenu(menuCatalogue, ['sync-task', 'home', 'not-yet']).map(({ key }) => key);
  expect(keys).toEqual(['sync-task', 'home']);
});

// No entry has children yet; the rule is the specification's all the same.
const nested: MenuItem[] = [{ key: 'home', children: [{ key: 'sync-link' }, { key: 'sync-task' }] }];

it('filters and orders children the same way', () => {
  const [parent] = grantedMenu(nested, ['home', 'sync-task', 'sync-link']);
  expect(parent?.children?.map(({ key }) => key)).toEqual(['sync-task', 'sync-link']);
});

it('drops a parent without children left', () => {
  expect(grantedMenu(nested, ['home'])).toEqual([]);
});

it('knows the parent of an entry', () => {
  expect(parentOf(nested, 'sync-task')).toBe('home' satisfies MenuKey);
  expect(parentOf(nested, 'home')).toBeUndefined();
});

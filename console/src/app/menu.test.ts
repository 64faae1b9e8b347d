import { expect, it } from 'vitest';
import type { MenuNode } from '@/shared/api';
import { groupOf, shownMenu, walk } from './menu';

const page = (menuKey: string): MenuNode => ({
  menuKey,
  kind: 'page',
  titleZh: `${menuKey} zh`,
  titleEn: `${menuKey} en`,
  operations: [],
  children: [],
});
const group = (menuKey: string, ...children: MenuNode[]): MenuNode => ({
  ...page(menuKey),
  kind: 'group',
  children,
});
const everything = () => true;

it('shows what is granted, in the order of the grant and in the language in use', () => {
  const shown = shownMenu([page('sync-task'), page('home')], 'en', everything);
  expect(shown).toEqual([
    { key: 'sync-task', title: 'sync-task en' },
    { key: 'home', title: 'home en' },
  ]);
  expect(shownMenu([page('home')], 'zh', everything)[0]?.title).toBe('home zh');
});

const system = group('system', page('system/register'), page('system/zbmq-management'));

it('filters and orders children the same way', () => {
  const [shown] = shownMenu([system], 'zh', (key) => key === 'system/zbmq-management');
  expect(shown?.children?.map(({ key }) => key)).toEqual(['system/zbmq-management']);
});

it('leaves out pages that this version does not have, and groups without any left', () => {
  expect(shownMenu([system, page('container')], 'zh', () => false)).toEqual([]);
});

it('knows every entry, and the group of one', () => {
  expect(walk([page('home'), system]).map(({ menuKey }) => menuKey)).toEqual([
    'home',
    'system',
    'system/register',
    'system/zbmq-management',
  ]);
  expect(groupOf([page('home'), system], 'system/register')?.menuKey).toBe('system');
  expect(groupOf([page('home'), system], 'home')).toBeUndefined();
});

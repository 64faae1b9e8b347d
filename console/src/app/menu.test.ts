import { expect, it } from 'vitest';
import type { MenuKey } from '@/shared/pages/menu-keys';
import { grantedMenu, parentOf } from './menu';

const everything = () => true;
const only =
  (...keys: MenuKey[]) =>
  (key: MenuKey) =>
    keys.includes(key);

it('shows what is granted, in the order of the grant', () => {
  const keys = grantedMenu(['sync-task', 'home', 'nobody-knows'], everything).map(({ key }) => key);
  expect(keys).toEqual(['sync-task', 'home']);
});

it('leaves out what this version does not have', () => {
  expect(grantedMenu(['home', 'container'], only('home')).map(({ key }) => key)).toEqual(['home']);
});

it('filters and orders children the same way', () => {
  const granted = ['home', 'system', 'system/register', 'system/bus-sys-parameter', 'system/zbmq-management'];
  const built = only('home', 'system/register', 'system/bus-sys-parameter');
  expect(grantedMenu(granted, built)).toEqual([
    { key: 'home' },
    { key: 'system', children: [{ key: 'system/register' }, { key: 'system/bus-sys-parameter' }] },
  ]);
});

it('puts a group that is not granted itself where its first child stands', () => {
  const keys = grantedMenu(['system/register', 'home'], only('home', 'system/register')).map(
    ({ key }) => key,
  );
  expect(keys).toEqual(['system', 'home']);
});

it('drops a group without children left', () => {
  expect(grantedMenu(['system', 'system/register'], only('home'))).toEqual([]);
});

it('knows the parent of an entry', () => {
  expect(parentOf('system/register')).toBe('system');
  expect(parentOf('home')).toBeUndefined();
});

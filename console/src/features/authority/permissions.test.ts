import { expect, it } from 'vitest';
import type { OfferedEntry } from '@/shared/api';
import { isImplied, isTicked, tick } from './permissions';

const entry = (administrative = false): OfferedEntry => ({
  menuKey: 'sync-link',
  parentKey: null,
  kind: 'page',
  title: 'Sync links',
  administrative,
  wholePlatform: false,
  operations: ['view', 'edit'],
});

it('each permission includes viewing', () => {
  expect(tick([], 'sync-link', 'edit', true)).toEqual([
    { menuKey: 'sync-link', operations: ['view', 'edit'] },
  ]);
});

it('without the right to view nothing is allowed', () => {
  const before = tick([], 'sync-link', 'edit', true);
  expect(tick(before, 'sync-link', 'view', false)).toEqual([]);
  expect(tick(before, 'sync-link', 'edit', false)).toEqual([{ menuKey: 'sync-link', operations: ['view'] }]);
});

it('leaves other entries alone', () => {
  const home = { menuKey: 'home', operations: ['view' as const] };
  expect(tick([home], 'sync-link', 'view', true)).toEqual([
    home,
    { menuKey: 'sync-link', operations: ['view'] },
  ]);
});

it('what goes for every entry does not open administration', () => {
  const everywhere = tick([], '*', 'view', true);
  expect(isImplied(everywhere, entry(), 'view')).toBe(true);
  expect(isImplied(everywhere, entry(true), 'view')).toBe(false);
  expect(isImplied(everywhere, entry(), 'edit')).toBe(false);
});

it('everything is everything', () => {
  const everything = tick([], '*', '*', true);
  expect(isImplied(everything, entry(true), 'edit')).toBe(true);
  expect(isTicked(everything, '*', '*')).toBe(true);
  expect(tick(everything, '*', '*', false)).toEqual([]);
});

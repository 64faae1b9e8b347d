import { expect, it } from 'vitest';
import type { MenuRecord } from '@/shared/api';
import { placeAfterMove } from './menu-order';

const entry = (
  menuKey: string,
  parentKey: string | null = null,
  children: MenuRecord[] = [],
): MenuRecord => ({
  menuKey,
  parentKey,
  kind: 'page',
  titleZh: menuKey,
  titleEn: menuKey,
  usualTitleZh: menuKey,
  usualTitleEn: menuKey,
  hidden: false,
  ownGroup: false,
  operations: [],
  wholePlatform: false,
  children,
});

const tree = [entry('a'), entry('b'), entry('g', null, [entry('x', 'g'), entry('y', 'g')])];

it('goes up in front of the one above', () => {
  expect(placeAfterMove(tree, entry('b'), -1)).toEqual({ parentKey: null, beforeKey: 'a' });
  expect(placeAfterMove(tree, entry('y', 'g'), -1)).toEqual({ parentKey: 'g', beforeKey: 'x' });
});

it('goes down behind the one below', () => {
  expect(placeAfterMove(tree, entry('a'), 1)).toEqual({ parentKey: null, beforeKey: 'g' });
  expect(placeAfterMove(tree, entry('x', 'g'), 1)).toEqual({ parentKey: 'g', beforeKey: null });
});

it('stays at the ends', () => {
  expect(placeAfterMove(tree, entry('a'), -1)).toBeUndefined();
  expect(placeAfterMove(tree, entry('g'), 1)).toBeUndefined();
});

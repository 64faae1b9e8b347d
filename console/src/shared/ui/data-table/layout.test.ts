import { expect, it } from 'vitest';
import { placeColumns, SELECTION_WIDTH } from './layout';
import type { Column } from './types';

const column = (key: string, more: Partial<Column<unknown>> = {}): Column<unknown> => ({
  key,
  title: key,
  render: () => null,
  ...more,
});

it('columns without a width share the room that is left', () => {
  const placed = placeColumns([column('a', { width: 100 }), column('b'), column('c')], 700, false);
  expect(placed.map(({ width }) => width)).toEqual([100, 300, 300]);
});

it('a narrow window keeps the least widths, so the table scrolls', () => {
  const placed = placeColumns([column('a', { minWidth: 200 }), column('b')], 100, false);
  expect(placed.map(({ width }) => width)).toEqual([200, 120]);
});

it('with stated widths only, the last free column grows to the edge', () => {
  const columns = [
    column('a', { width: 100 }),
    column('b', { width: 100 }),
    column('c', { width: 80, fixed: 'right' }),
  ];
  expect(placeColumns(columns, 400, false).map(({ width }) => width)).toEqual([100, 220, 80]);
});

it('fixed columns stand beside each other at their edge', () => {
  const columns = [
    column('a', { width: 100, fixed: 'left' }),
    column('b', { width: 50, fixed: 'left' }),
    column('c'),
    column('d', { width: 60, fixed: 'right' }),
    column('e', { width: 40, fixed: 'right' }),
  ];
  const offsets = placeColumns(columns, 1000, true).map(({ offset }) => offset);
  expect(offsets).toEqual([SELECTION_WIDTH, SELECTION_WIDTH + 100, undefined, 40, 0]);
});

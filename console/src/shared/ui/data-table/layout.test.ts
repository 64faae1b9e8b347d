import { expect, it } from 'vitest';
import { fitColumns, LEAD_WIDTH, placeColumns } from './layout';
import type { SlotColumn } from './types';

type Row = Record<string, unknown>;

const column = (key: string, more: Partial<Omit<SlotColumn<Row>, 'key' | 'of'>> = {}): SlotColumn<Row> => ({
  key,
  title: key,
  render: () => null,
  ...more,
});

it('columns without a width share the room that is left', () => {
  const placed = placeColumns([column('a', { width: 100 }), column('b'), column('c')], 700, 0);
  expect(placed.map(({ width }) => width)).toEqual([100, 300, 300]);
});

it('a narrow window keeps the least widths, so the table scrolls', () => {
  const placed = placeColumns([column('a', { minWidth: 200 }), column('b')], 100, 0);
  expect(placed.map(({ width }) => width)).toEqual([200, 120]);
});

it('a column without a width has 200 pixels where there is room for all, and less only where there is none', () => {
  const widths = (room: number) =>
    placeColumns([column('a', { minWidth: 150 }), column('b'), column('c', { width: 50 })], room, 0).map(
      ({ width }) => width,
    );
  expect(widths(450)).toEqual([200, 200, 50]);
  expect(widths(0)).toEqual([200, 200, 50]);
  expect(widths(650)).toEqual([300, 300, 50]);
  // 65 pixels more than the least: half of what both would like.
  expect(widths(385)).toEqual([175, 160, 50]);
  expect(widths(100)).toEqual([150, 120, 50]);
});

it('with stated widths only, the last free column grows to the edge', () => {
  const columns = [
    column('a', { width: 100 }),
    column('b', { width: 100 }),
    column('c', { width: 80, fixed: 'right' }),
  ];
  expect(placeColumns(columns, 400, 0).map(({ width }) => width)).toEqual([100, 220, 80]);
});

it('fixed columns stand side by side at their edge', () => {
  const columns = [
    column('a', { width: 100, fixed: 'left' }),
    column('b', { width: 50, fixed: 'left' }),
    column('c'),
    column('d', { width: 60, fixed: 'right' }),
    column('e', { width: 40, fixed: 'right' }),
  ];
  const offsets = placeColumns(columns, 1000, LEAD_WIDTH).map(({ offset }) => offset);
  expect(offsets).toEqual([LEAD_WIDTH, LEAD_WIDTH + 100, undefined, 40, 0]);
});

it('the innermost fixed column is the edge that others scroll behind', () => {
  const columns = [
    column('a', { fixed: 'left' }),
    column('b', { fixed: 'left' }),
    column('c'),
    column('d', { fixed: 'right' }),
  ];
  expect(placeColumns(columns, 1000, 0).map(({ isEdge }) => isEdge)).toEqual([false, true, false, true]);
});

it('a narrow window leaves out the last of the columns that may be left out, and no more than it must', () => {
  const columns = [
    column('a', { width: 100 }),
    column('b', { width: 100, leaveOut: true }),
    column('c', { width: 100, leaveOut: true }),
    column('d', { width: 100, fixed: 'right' }),
  ];
  const keys = (room: number, kept = '') =>
    fitColumns(columns, room, ({ key }) => key === kept).map(({ key }) => key);
  expect(keys(400)).toEqual(['a', 'b', 'c', 'd']);
  expect(keys(399)).toEqual(['a', 'b', 'd']);
  expect(keys(100)).toEqual(['a', 'd']);
  expect(keys(399, 'c')).toEqual(['a', 'c', 'd']);
  expect(keys(0)).toEqual(['a', 'b', 'c', 'd']);
});

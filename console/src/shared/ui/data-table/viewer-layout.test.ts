import { expect, it } from 'vitest';
import type { Column, SlotColumn } from './types';
import { arrange, isVisible, moved } from './viewer-layout';

type Row = Record<string, unknown>;

const column = (key: string, more: Partial<Omit<SlotColumn<Row>, 'key' | 'of'>> = {}): SlotColumn<Row> => ({
  key,
  title: key,
  render: () => null,
  ...more,
});

const columns: Column<Row>[] = [
  column('a'),
  column('b', { width: 80 }),
  column('c'),
  column('d', { fixed: 'right' }),
];
const keys = (arranged: readonly Column<Row>[]) => arranged.map(({ key }) => key);

it('without choices the columns are as the page has them', () => {
  expect(arrange(columns, {})).toEqual(columns);
});

it('stands in the viewer’s order; a column that is newer than the order stays behind its neighbour', () => {
  expect(keys(arrange(columns, { order: ['c', 'a', 'd'] }))).toEqual(['c', 'a', 'b', 'd']);
  expect(keys(arrange(columns, { order: ['c', 'b', 'gone', 'd'] }))).toEqual(['a', 'c', 'b', 'd']);
});

it('puts fixed columns at their edge, and releases those that are no longer fixed', () => {
  expect(keys(arrange(columns, { fixed: { c: 'left' } }))).toEqual(['c', 'a', 'b', 'd']);
  const loose = arrange(columns, { fixed: { d: 'none' }, order: ['d', 'a', 'b', 'c'] });
  expect(keys(loose)).toEqual(['d', 'a', 'b', 'c']);
  expect(loose[0]?.fixed).toBeUndefined();
});

it('takes the viewer’s widths', () => {
  expect(arrange(columns, { widths: { a: 200, b: 90 } }).map(({ width }) => width)).toEqual([
    200,
    90,
    undefined,
    undefined,
  ]);
});

it('shows what is not hidden, what the viewer asked for, and what is essential in any case', () => {
  const hidden = column('x', { hidden: true }) as Column<never>;
  const essential = column('y', { essential: true }) as Column<never>;
  expect(isVisible(hidden, {})).toBe(false);
  expect(isVisible(hidden, { visible: { x: true } })).toBe(true);
  expect(isVisible(essential, { visible: { y: false } })).toBe(true);
});

it('moves a column to where another stands', () => {
  expect(moved(['a', 'b', 'c'], 'c', 'a')).toEqual(['c', 'a', 'b']);
  expect(moved(['a', 'b', 'c'], 'a', 'c')).toEqual(['b', 'a', 'c']);
  expect(moved(['a', 'b', 'c'], 'a', undefined)).toEqual(['b', 'c', 'a']);
});

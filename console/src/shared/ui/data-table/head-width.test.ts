import { expect, it } from 'vitest';
import { withHeadShown } from './head-width';
import type { SlotColumn } from './types';

type Row = { a: string };

const tenEach = (text: string) => text.length * 10;
const column = (more: Partial<Omit<SlotColumn<Row>, 'key' | 'of'>>): SlotColumn<Row> => ({
  key: 'a',
  title: 'Subscribers',
  render: () => null,
  ...more,
});

it('a column is no narrower than its head with its marks', () => {
  expect(withHeadShown(column({ width: 90 }), tenEach).width).toBe(110 + 18);
  expect(withHeadShown(column({ width: 90, sortable: true }), tenEach).width).toBe(110 + 18 + 14);
  expect(withHeadShown(column({ width: 300 }), tenEach).width).toBe(300);
});

it('one that shares the room that is left keeps sharing it, from there on', () => {
  expect(withHeadShown(column({}), tenEach)).toMatchObject({ minWidth: 128 });
  expect(withHeadShown(column({ minWidth: 200 }), tenEach)).toMatchObject({ minWidth: 200 });
  expect(withHeadShown(column({}), tenEach).width).toBeUndefined();
});

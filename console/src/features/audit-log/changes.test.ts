import { expect, test } from 'vitest';
import { changesOf } from './changes';

test('fields of nested values stand side by side, with what only one side has', () => {
  const before = { name: 'shop', limits: { errors: 100 }, tables: ['a', 'b'], remark: null };
  const after = { name: 'shop', limits: { errors: 7 }, tables: ['a'], load: 'full', remark: null };
  expect(changesOf(before, after)).toEqual([
    { field: 'name', before: 'shop', after: 'shop' },
    { field: 'limits.errors', before: '100', after: '7' },
    { field: 'tables[0]', before: 'a', after: 'a' },
    { field: 'tables[1]', before: 'b', after: undefined },
    { field: 'remark', before: 'null', after: 'null' },
    { field: 'load', before: undefined, after: 'full' },
  ]);
});

test('an absent side has no field, and an empty list is a value', () => {
  expect(changesOf(null, { tables: [] })).toEqual([{ field: 'tables', before: undefined, after: '[]' }]);
  expect(changesOf(null, undefined)).toEqual([]);
  expect(changesOf('one', 'two')).toEqual([{ field: '', before: 'one', after: 'two' }]);
});

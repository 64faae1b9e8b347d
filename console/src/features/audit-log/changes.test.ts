import { expect, test } from 'vitest';
import { changesOf } from './changes';

test('fields of nested values are compared where both sides have them', () => {
  const before = { name: 'shop', limits: { errors: 100 }, tables: ['a', 'b'], remark: null, tenant: 'one' };
  const after = { name: 'shop', limits: { errors: 7 }, tables: ['a'], load: 'full', remark: null };
  expect(changesOf(before, after)).toEqual([
    { field: 'name', before: 'shop', after: 'shop', isChanged: false },
    { field: 'limits.errors', before: '100', after: '7', isChanged: true },
    { field: 'tables[0]', before: 'a', after: 'a', isChanged: false },
    { field: 'tables[1]', before: 'b', after: undefined, isChanged: true },
    { field: 'remark', before: 'null', after: 'null', isChanged: false },
    { field: 'tenant', before: 'one', after: undefined, isChanged: false },
    { field: 'load', before: undefined, after: 'full', isChanged: false },
  ]);
});

test('an absent side has no field, and an empty list is a value', () => {
  expect(changesOf(null, { tables: [] })).toEqual([
    { field: 'tables', before: undefined, after: '[]', isChanged: false },
  ]);
  expect(changesOf(null, undefined)).toEqual([]);
  expect(changesOf('one', 'two')).toEqual([{ field: '', before: 'one', after: 'two', isChanged: true }]);
});

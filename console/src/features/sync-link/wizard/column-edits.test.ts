import { expect, it } from 'vitest';
import { chosenColumns, editsOf, faultOf, masksOf } from './column-edits';

const columns = [{ name: 'id' }, { name: 'name' }, { name: 'note' }];

it('says nothing where all columns go along under their own names', () => {
  const edits = editsOf(columns, undefined);
  expect(chosenColumns(edits)).toBeUndefined();
});

it('keeps what was chosen before', () => {
  const chosen = [
    { source: 'id', target: 'id' },
    { source: 'name', target: 'label' },
  ];
  const edits = editsOf(columns, chosen);
  expect(edits.map(({ taken }) => taken)).toEqual([true, true, false]);
  expect(chosenColumns(edits)).toEqual(chosen);
});

it('refuses a choice that leaves a key column behind, takes nothing, or gives a name twice', () => {
  const edits = editsOf(columns, [{ source: 'name', target: 'name' }]);
  expect(faultOf(edits, ['id'])).toEqual({ code: 'keyMissing', column: 'id' });
  expect(faultOf(edits, [])).toBeUndefined();
  expect(faultOf(editsOf(columns, []), [])?.code).toBe('none');
  const twice = editsOf(columns, undefined).map((edit) => ({
    ...edit,
    target: edit.source === 'note' ? 'name' : '',
  }));
  expect(faultOf(twice, ['id'])).toEqual({ code: 'twice', column: 'name' });
});

it('keeps how columns are hidden, of those that go along', () => {
  const masks = { name: { method: 'hash' }, note: { method: 'fixed', value: '-' } } as const;
  const edits = editsOf(columns, [{ source: 'name', target: 'name' }], masks);
  expect(masksOf(edits)).toEqual({ name: { method: 'hash' } });
});

it('refuses added columns without a name, without an expression, or with a name that is taken', () => {
  const edits = editsOf(columns, undefined);
  const added = { name: 'more', kind: 'expression', value: 'id + 1', type: '' } as const;
  expect(faultOf(edits, ['id'], [added])).toBeUndefined();
  expect(faultOf(edits, ['id'], [{ ...added, name: ' ' }])?.code).toBe('unnamed');
  expect(faultOf(edits, ['id'], [{ ...added, value: '' }])).toEqual({ code: 'noExpression', column: 'more' });
  expect(faultOf(edits, ['id'], [added, added])).toEqual({ code: 'twice', column: 'more' });
  // It takes the place of the source's column.
  expect(faultOf(edits, ['id'], [{ ...added, name: 'note' }])).toBeUndefined();
});

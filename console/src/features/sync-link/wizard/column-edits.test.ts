import { expect, it } from 'vitest';
import { chosenColumns, editsOf, faultOf } from './column-edits';

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

import { expect, test } from 'vitest';
import { marks, nothing, toggle } from './choice';

const all = ['d/s/a', 'd/s/b'];

function after(...ids: string[]) {
  const choice = ids.reduce(toggle, nothing);
  const { checked, halfChecked } = marks(choice, all);
  return { checked: checked.sort(), halfChecked, left: [...choice.leftOut] };
}

test('a schema stands for all its tables, and is taken back whole', () => {
  expect(after('d/s')).toEqual({ checked: ['d/s', 'd/s/a', 'd/s/b'], halfChecked: [], left: [] });
  expect(after('d/s', 'd/s')).toEqual({ checked: [], halfChecked: [], left: [] });
});

test('a table of a chosen schema is left out, and comes back', () => {
  expect(after('d/s', 'd/s/a')).toEqual({ checked: ['d/s/b'], halfChecked: ['d/s'], left: ['d/s/a'] });
  expect(after('d/s', 'd/s/a', 'd/s/a').checked).toEqual(['d/s', 'd/s/a', 'd/s/b']);
  expect(after('d/s', 'd/s/a', 'd/s')).toEqual({
    checked: ['d/s', 'd/s/a', 'd/s/b'],
    halfChecked: [],
    left: [],
  });
});

test('single tables tick their schema partly; choosing the schema takes them in', () => {
  expect(after('d/s/b')).toEqual({ checked: ['d/s/b'], halfChecked: ['d/s'], left: [] });
  expect(after('d/s/b', 'd/s').checked).toEqual(['d/s', 'd/s/a', 'd/s/b']);
  expect(after('d/s/b', 'd/s/b')).toEqual({ checked: [], halfChecked: [], left: [] });
});

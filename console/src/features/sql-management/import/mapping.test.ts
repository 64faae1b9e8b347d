import { describe, expect, it } from 'vitest';
import { chosen, fresh, matched, twice, unfilled } from './mapping';

const file = [
  { name: 'Good ID', type: 'bigint' },
  { name: 'name', type: 'text' },
  { name: 'other', type: 'date' },
];
const table = [
  { name: 'good_id', type: 'int', nullable: false, key: true },
  { name: 'NAME', type: 'varchar(20)', nullable: true, key: false },
  { name: 'price', type: 'numeric', nullable: false, key: false },
];

describe('columns of a file and of a table', () => {
  it('match by name, and the others are left out', () => {
    const found = matched(file, table);
    expect(found.map(({ target }) => target)).toEqual(['good_id', 'NAME', '']);
    expect(chosen(found, false)).toEqual([
      { source: 'Good ID', target: 'good_id' },
      { source: 'name', target: 'NAME' },
    ]);
    expect(unfilled(found, table)).toEqual(['price']);
  });

  it('keep names and types in a new table', () => {
    expect(chosen(fresh(file.slice(1, 2)), true)).toEqual([
      { source: 'name', target: 'name', type: 'text', key: false },
    ]);
  });

  it('go to one column once', () => {
    const both = fresh(file).map((one) => ({ ...one, target: one.source === 'other' ? 'Name' : one.target }));
    expect(twice(both)).toBe('Name');
    expect(twice(fresh(file))).toBeUndefined();
  });
});

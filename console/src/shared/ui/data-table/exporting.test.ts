import { expect, it } from 'vitest';
import { fileName, plainRows } from './exporting';
import type { Column } from './types';

interface City {
  name: string;
  people: number;
}

const columns: Column<City>[] = [
  { key: 'no', title: 'No.', type: 'seq' },
  { key: 'name', title: 'City', type: 'text', text: ({ name }) => name },
  { key: 'people', title: 'People', render: () => null, text: ({ people }) => people },
  { key: 'chart', of: ['people'], title: 'Chart', render: () => null },
  { key: 'do', title: 'Actions', type: 'options', actions: () => [] },
];

it('a file holds what the columns say, and nothing of columns that only draw', () => {
  expect(plainRows(columns, [{ name: 'Oslo', people: 7 }])).toEqual([
    ['City', 'People'],
    ['Oslo', 7],
  ]);
});

it('a file’s name holds nothing that a file system refuses', () => {
  expect(fileName('a/b: "c"?', 'csv', new Date(2026, 0, 2, 3, 4, 5))).toBe('a b   c 2026-01-02 03.04.05.csv');
});

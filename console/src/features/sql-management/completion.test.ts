import { expect, it } from 'vitest';
import { completionOf, namedTables } from './completion';

const tables = [
  { schemaName: 'public', table: 'orders' },
  { schemaName: 'public', table: 'order_lines' },
  { schemaName: 'old', table: 'orders' },
];

it('finds the tables that a statement names, whatever their case', () => {
  expect(namedTables('SELECT * FROM Public.ORDERS o', tables)).toEqual([tables[0], tables[2]]);
  expect(namedTables('SELECT 1', tables)).toEqual([]);
});

it('offers tables with and without their schema, and the columns that are known', () => {
  const known = [{ schemaName: 'public', table: 'orders', columns: ['id', 'total'] }];
  expect(completionOf(tables, known)).toEqual({
    orders: ['id', 'total'],
    order_lines: [],
    public: { orders: ['id', 'total'], order_lines: [] },
    old: { orders: [] },
  });
});

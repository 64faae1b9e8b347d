import { expect, it } from 'vitest';
import { documentOf, suggestedSchema } from './document';
import { emptyDraft, type LinkDraft, tablesWithoutKey } from './draft';
import { plainRule } from './names';

const place = { title: '{database}', address: '{host}:{port}', defaultSchema: '', secrets: ['password'] };
const postgresql = {
  kind: 'postgresql',
  about: { ...place, product: 'PostgreSQL', schemas: 'many' as const, defaultSchema: 'public' },
  values: { host: 'a', port: 5432, database: 'shop' },
  passed: undefined,
};
const mysql = {
  kind: 'mysql',
  about: { ...place, product: 'MySQL', schemas: 'database' as const },
  values: { host: 'b', port: 3306, database: 'copy' },
  passed: undefined,
};

it('suggests the schema that a table would have in the target', () => {
  expect(suggestedSchema({ source: postgresql, target: mysql }, 'sales')).toBe('copy');
  expect(suggestedSchema({ source: postgresql, target: postgresql }, 'sales')).toBe('sales');
  expect(suggestedSchema({ source: mysql, target: postgresql }, 'copy')).toBe('public');
});

it('names every table, its target, chosen columns and chosen key', () => {
  const draft: LinkDraft = {
    ...emptyDraft,
    source: postgresql,
    target: mysql,
    name: 'shop',
    tables: {
      a: {
        schema: 'public',
        table: 'log',
        hasKey: false,
        targetSchema: ' ',
        targetTable: 'LOG',
        key: ['at'],
        columns: [{ source: 'at', target: 'moment' }],
      },
    },
  };
  expect(documentOf(draft)).toEqual({
    link: 'shop',
    source: { kind: 'postgresql', host: 'a', port: 5432, database: 'shop' },
    target: { kind: 'mysql', host: 'b', port: 3306, database: 'copy' },
    tables: [
      {
        source: { schema: 'public', table: 'log' },
        target: { schema: 'copy', table: 'LOG' },
        columns: { at: 'moment' },
        key: ['at'],
      },
    ],
    load: 'full+incremental',
    clean: 'none',
    ddl: 'stop',
    indexes: 'all',
  });
});

it('says of a table without a key that it goes along append-only, and waits for no key columns then', () => {
  const table = { schema: 'public', table: 'log', hasKey: false, targetSchema: '', targetTable: '', key: [] };
  const open: LinkDraft = {
    ...emptyDraft,
    source: postgresql,
    target: mysql,
    tables: { a: { ...table, columns: undefined } },
  };
  expect(tablesWithoutKey(open)).toHaveLength(1);
  const chosen = { ...open, tables: { a: { ...table, columns: undefined, appendOnly: true } } };
  expect(tablesWithoutKey(chosen)).toEqual([]);
  expect(documentOf(chosen).tables).toEqual([
    {
      source: { schema: 'public', table: 'log' },
      target: { schema: 'copy', table: 'log' },
      appendOnly: true,
    },
  ]);
});

it('says what is done to rows and names in the words of links as code', () => {
  const table = { schema: 'public', table: 'orders', hasKey: true, targetSchema: '', targetTable: '' };
  const draft: LinkDraft = {
    ...emptyDraft,
    source: postgresql,
    target: mysql,
    tableNames: { ...plainRule, prefix: 'ods_' },
    newTables: ' public.*，!public.audit_* ',
    columnNames: { ...plainRule, from: 'c_*', to: '*', letterCase: 'upper' },
    tables: {
      a: {
        ...table,
        key: [],
        columns: undefined,
        transforms: {
          where: ' amount > 0 ',
          targetWhere: '',
          masks: { phone: { method: 'partial', first: 3, last: 2 } },
          added: [
            { name: 'origin', kind: 'constant', value: 'shop', type: '' },
            { name: 'gross', kind: 'expression', value: 'amount * 1.19', type: 'decimal(12,2)' },
            { name: 'net', kind: 'expression', value: 'amount', type: '' },
          ],
        },
      },
    },
  };
  expect(documentOf(draft)).toMatchObject({
    newTables: ['public.*', '!public.audit_*'],
    names: { column: { replace: { 'c_*': '*' }, case: 'upper' } },
    tables: [
      {
        target: { schema: 'copy', table: 'ods_orders' },
        where: 'amount > 0',
        constants: { origin: 'shop' },
        expressions: { gross: { expression: 'amount * 1.19', type: 'decimal(12,2)' }, net: 'amount' },
        masks: { phone: { method: 'partial', first: 3, last: 2 } },
      },
    ],
  });
});

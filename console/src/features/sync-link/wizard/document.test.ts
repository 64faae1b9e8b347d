import { expect, it } from 'vitest';
import { documentOf, suggestedSchema } from './document';
import { emptyDraft, type LinkDraft } from './draft';

const postgresql = {
  kind: 'postgresql',
  values: { host: 'a', port: 5432, database: 'shop' },
  passed: undefined,
};
const mysql = { kind: 'mysql', values: { host: 'b', port: 3306, database: 'copy' }, passed: undefined };

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
  });
});

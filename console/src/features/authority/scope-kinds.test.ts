import { expect, test } from 'vitest';
import { countOperations, READ_ONLY, scopeKind } from './scope-kinds';

test('the kind of a scope follows from its permissions', () => {
  expect(scopeKind(null)).toBe('all');
  expect(scopeKind(READ_ONLY)).toBe('readOnly');
  expect(scopeKind([...READ_ONLY, { menuKey: 'sync-link', operations: ['operate'] }])).toBe('chosen');
  expect(scopeKind([{ menuKey: '*', operations: ['view', 'delete'] }])).toBe('chosen');
  expect(scopeKind([{ menuKey: 'sync-link', operations: ['view'] }])).toBe('chosen');
});

test('operations are counted over all entries', () => {
  expect(
    countOperations([
      { menuKey: 'a', operations: ['view', 'edit'] },
      { menuKey: 'b', operations: ['view'] },
    ]),
  ).toBe(3);
});

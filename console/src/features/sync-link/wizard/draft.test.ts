import { describe, expect, it } from 'vitest';
import {
  allowedStep,
  checkedPart,
  emptyDraft,
  fingerprint,
  furthestStep,
  type LinkDraft,
  type PickedTable,
  tableKey,
  tablesWithWrongName,
  withoutSecrets,
} from './draft';

const about = {
  product: 'PostgreSQL',
  title: '{database}',
  address: '{host}:{port}',
  schemas: 'many' as const,
  defaultSchema: 'public',
  secrets: ['password'],
};

function connection(host: string) {
  const draft = { kind: 'postgresql', about, values: { host, password: 'hush' }, passed: undefined };
  return { ...draft, passed: fingerprint(draft) };
}

function table(change: Partial<PickedTable> = {}): PickedTable {
  const plain = { schema: 'shop', table: 'orders', hasKey: true, targetSchema: '', targetTable: '' };
  return { ...plain, key: [], columns: undefined, ...change };
}

function draft(change: Partial<LinkDraft> = {}): LinkDraft {
  const picked = table();
  return {
    ...emptyDraft,
    source: connection('a'),
    target: connection('b'),
    tables: { [tableKey(picked)]: picked },
    ...change,
  };
}

describe('steps of the wizard', () => {
  it('starts at the source', () => {
    expect(furthestStep(emptyDraft)).toBe('source');
  });

  it('goes back to the test when a connection was changed after it passed', () => {
    const changed = { ...connection('a'), values: { host: 'other', password: 'hush' } };
    expect(furthestStep(draft({ source: changed }))).toBe('source');
  });

  it('holds at the tables while one without key has no key columns', () => {
    const picked = table({ hasKey: false });
    expect(furthestStep(draft({ tables: { x: picked } }))).toBe('tables');
    expect(furthestStep(draft({ tables: { x: { ...picked, key: ['id'] } } }))).toBe('precheck');
  });

  it('asks for a new pre-check after any checked input was changed', () => {
    const checked = draft();
    const passed = { ...checked, checked: checkedPart(checked) };
    expect(furthestStep(passed)).toBe('start');
    expect(furthestStep({ ...passed, clean: 'drop' })).toBe('precheck');
    expect(furthestStep({ ...passed, name: 'shop' })).toBe('start');
  });

  it('opens earlier steps, never later ones', () => {
    expect(allowedStep(draft(), 'source')).toBe('source');
    expect(allowedStep(draft(), 'start')).toBe('precheck');
  });
});

describe('names in the target', () => {
  it('may have 128 characters, counted as people count them', () => {
    const fits = table({ targetTable: '表'.repeat(128) });
    expect(tablesWithWrongName(draft({ tables: { x: fits } }))).toEqual([]);
    const tooLong = table({ targetTable: '😀'.repeat(129) });
    expect(tablesWithWrongName(draft({ tables: { x: tooLong } }))).toEqual([tooLong]);
  });
});

it('is kept by the browser without passwords, and has to be tested again', () => {
  const kept = withoutSecrets(draft());
  expect(JSON.stringify(kept)).not.toContain('hush');
  expect(furthestStep(kept)).toBe('source');
});

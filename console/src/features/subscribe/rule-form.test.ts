import { expect, it } from 'vitest';
import { ruleOf } from './rule-form';

const filled = { column: 'c', expression: 'a + 1', type: 'text', first: 2, last: 3, value: 'v' };
const none = { column: 'c', expression: '', type: '', first: 0, last: 0, value: '' };

it('sends of a rule only what its kind is about', () => {
  expect(ruleOf({ ...filled, kind: 'expression' })).toEqual({
    ...none,
    kind: 'expression',
    expression: 'a + 1',
    type: 'text',
  });
  expect(ruleOf({ ...filled, kind: 'partial' })).toEqual({ ...none, kind: 'partial', first: 2, last: 3 });
  expect(ruleOf({ ...filled, kind: 'fixed' })).toEqual({ ...none, kind: 'fixed', value: 'v' });
  expect(ruleOf({ ...filled, kind: 'hash' })).toEqual({ ...none, kind: 'hash' });
});

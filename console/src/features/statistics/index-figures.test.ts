import { expect, test } from 'vitest';
import { changeOf } from './index-figures';

test('a change is in percent of the period before, and said only where both are known', () => {
  expect(changeOf(112, 100)).toBe('+12%');
  expect(changeOf(101, 100)).toBe('+1%');
  expect(changeOf(1, 1000)).toBe('−100%');
  expect(changeOf(995, 1000)).toBe('−0.5%');
  expect(changeOf(5_000_000, 1)).toBe('>+999%');
  for (const [current, before] of [
    [null, 5],
    [5, null],
    [5, 0],
    [5, 5],
  ] as const)
    expect(changeOf(current, before)).toBe('');
});

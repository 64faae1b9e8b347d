import { expect, it } from 'vitest';
import { placeOf } from './details';

it('a line under an open row holds its details, and everything behind moves down', () => {
  const lines = Array.from({ length: 7 }, (_, item) => placeOf(item, [0, 2]));
  expect(lines).toEqual([
    { index: 0, isDetails: false },
    { index: 0, isDetails: true },
    { index: 1, isDetails: false },
    { index: 2, isDetails: false },
    { index: 2, isDetails: true },
    { index: 3, isDetails: false },
    { index: 4, isDetails: false },
  ]);
});

it('with nothing open, lines are rows', () => {
  expect(placeOf(99_999, [])).toEqual({ index: 99_999, isDetails: false });
});

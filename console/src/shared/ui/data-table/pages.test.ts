import { expect, it } from 'vitest';
import { pageNumbers } from './pages';

it('shows the current page among its neighbours, and five as long as there are five', () => {
  expect(pageNumbers(1, 1)).toEqual([1]);
  expect(pageNumbers(2, 3)).toEqual([1, 2, 3]);
  expect(pageNumbers(1, 40)).toEqual([1, 2, 3, 4, 5]);
  expect(pageNumbers(20, 40)).toEqual([18, 19, 20, 21, 22]);
  expect(pageNumbers(40, 40)).toEqual([36, 37, 38, 39, 40]);
});

import { expect, it } from 'vitest';
import { lineWidth } from './picture';

it('a line is wider the more rows pass, and there is none where nothing moves', () => {
  expect([lineWidth(null), lineWidth(0)]).toEqual([0, 0]);
  const widths = [1, 10, 1000, 100_000, 10_000_000].map(lineWidth);
  expect(widths).toEqual([...widths].sort((one, other) => one - other));
  expect(widths[0]).toBeGreaterThanOrEqual(2);
  expect([widths[3], widths[4]]).toEqual([14, 14]);
});

import { expect, it } from 'vitest';
import { CHART, highest, paths, runs } from './geometry';

it('minutes that were not measured are gaps', () => {
  expect(runs([null, 1, 2, null, null, 3])).toEqual([
    { first: 1, values: [1, 2] },
    { first: 5, values: [3] },
  ]);
  expect(paths([null, null], 1)).toEqual({ line: '', area: '' });
  expect(paths([1, null, 1], 1).line.match(/M/g)).toHaveLength(2);
});

it('the highest value reaches the top, and zero the bottom', () => {
  const scale = highest([0, null, 50], [10]);
  expect(scale).toBe(50);
  expect(paths([50, 0], scale).line).toBe(
    `M0 0L${CHART.width / 2} ${CHART.height}L${CHART.width} ${CHART.height}`,
  );
  expect(highest([null], [])).toBe(1);
});

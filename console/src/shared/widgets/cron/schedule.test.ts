import { expect, it } from 'vitest';
import { isCron, joinCron, nextRuns, splitCron } from './schedule';

const from = new Date('2026-03-28T12:00:00Z');
const times = (expression: string, zone = 'UTC', count = 3) =>
  nextRuns(expression, count, zone, from).map((date) => date.toISOString().slice(0, 16));

it('shows the next run times in a time zone', () => {
  expect(times('30 2 * * *')).toEqual(['2026-03-29T02:30', '2026-03-30T02:30', '2026-03-31T02:30']);
  expect(times('0 8 * * *', 'Asia/Shanghai', 1)).toEqual(['2026-03-29T00:00']);
});

it('Sunday is 0 and 7, and days of month and week are either-or', () => {
  expect(times('0 0 * * 0', 'UTC', 1)).toEqual(times('0 0 * * 7', 'UTC', 1));
  expect(times('0 0 30 * 0')).toEqual(['2026-03-29T00:00', '2026-03-30T00:00', '2026-04-05T00:00']);
});

it.each(['* * * * *', '*/15 8-18 * * 1-5', '0 0 1 1 *'])('%j is an expression', (expression) => {
  expect(isCron(expression)).toBe(true);
});

it.each(['', '* * * *', '60 * * * *', 'a * * * *', '0 0 30 2 *', '0 * * * * *'])(
  '%j is none',
  (expression) => {
    expect(isCron(expression)).toBe(false);
  },
);

it('takes an expression apart and puts it together again', () => {
  expect(joinCron(splitCron(' 5  4 * * 1 '))).toBe('5 4 * * 1');
  expect(joinCron({ ...splitCron('5 4 * * 1'), hour: '' })).toBe('5 * * * 1');
});

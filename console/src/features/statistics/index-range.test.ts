import dayjs from 'dayjs';
import { expect, test } from 'vitest';
import { endsOf } from './index-range';

const now = dayjs('2026-03-05T10:20:30');
const of = (span: string, from = '', to = '') => {
  const ends = endsOf({ span, from, to }, now);
  return [ends.from, ends.to].map((end) => dayjs(end).format('YYYY-MM-DD HH:mm'));
};

test('spans are whole days of the viewer, and today ends with the day', () => {
  expect(of('today')).toEqual(['2026-03-05 00:00', '2026-03-06 00:00']);
  expect(of('yesterday')).toEqual(['2026-03-04 00:00', '2026-03-05 00:00']);
  expect(of('7d')).toEqual(['2026-02-27 00:00', '2026-03-06 00:00']);
  expect(of('30d')).toEqual(['2026-02-04 00:00', '2026-03-06 00:00']);
});

test('an own range stands as it is, and what an address says wrongly is today', () => {
  const from = dayjs('2026-01-01T06:00').valueOf();
  expect(of('own', String(from), String(from + 3_600_000))).toEqual(['2026-01-01 06:00', '2026-01-01 07:00']);
  expect(of('own', String(from), String(from))).toEqual(of('today'));
  expect(of('nonsense')).toEqual(of('today'));
});

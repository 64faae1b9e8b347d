import { describe, expect, it } from 'vitest';
import { moved, read, stepped, weeksOf } from './wall';

describe('what a text says', () => {
  it.each([
    ['2026-03-04 05:06', '2026-03-04T05:06'],
    ['2026-03-04T05:06', '2026-03-04T05:06'],
    ['2026-3-4 5:6', '2026-03-04T05:06'],
    ['2026/03/04 05:06:07', '2026-03-04T05:06:07'],
    ['2026-03-04 05:06:00', '2026-03-04T05:06'],
    ['2026-03-04', '2026-03-04T00:00'],
    ['2026年3月4日 5时6分', '2026-03-04T05:06'],
    ['2026年3月4日下午5点06分07秒', '2026-03-04T17:06:07'],
    ['2026年3月4日上午12:30', '2026-03-04T00:30'],
    ['２０２６－０３－０４　０５：０６', '2026-03-04T05:06'],
    ['Mar 4, 2026, 5:06 PM', '2026-03-04T17:06'],
    ['4 March 2026 05:06', '2026-03-04T05:06'],
    ['2028-02-29 23:59', '2028-02-29T23:59'],
  ])('%s', (text, wall) => {
    expect(read(text, 'second')).toBe(wall);
  });

  it.each([
    '',
    'soon',
    '2026-02-30 05:06',
    '2026-13-01 05:06',
    '2026-03-04 24:00',
    '2026-03-04 05:60',
    '2026-03-04 13:00 pm',
    '2026-03-0405:06',
    '2026-03-123',
    '2026-03-04T05:06Z',
    '2026-03-04 05:06+08:00',
    '20260304',
    'Foo 4, 2026',
  ])('%j is no moment', (text) => {
    expect(read(text, 'second')).toBeUndefined();
  });

  it('keeps no seconds where minutes are asked for', () => {
    expect(read('2026-03-04 05:06:07', 'minute')).toBe('2026-03-04T05:06');
  });

  it.each([
    ['5:06', '05:06'],
    ['22', '22:00'],
    ['晚上', undefined],
    ['下午 3点', '15:00'],
    ['３：３０', '03:30'],
    ['25:00', undefined],
    ['2026-03-04 05:06', undefined],
  ])('the time of day %s', (text, wall) => {
    expect(read(text, 'clock')).toBe(wall);
  });
});

describe('a time is moved', () => {
  it('to the last day of a month that lacks its own', () => {
    expect(moved('2026-01-31T05:06', 'month', 1)).toBe('2026-02-28T05:06');
    expect(moved('2028-02-29T05:06', 'year', 1)).toBe('2029-02-28T05:06');
    expect(moved('2026-01-31T05:06', 'month', -2)).toBe('2025-11-30T05:06');
  });

  it('over the ends of days and years, a time of day around', () => {
    expect(moved('2026-12-31T23:59', 'minute', 1)).toBe('2027-01-01T00:00');
    expect(moved('2026-03-04T05:06:59', 'second', 1)).toBe('2026-03-04T05:07:00');
    expect(moved('23:30', 'hour', 1)).toBe('00:30');
    expect(moved('9999-12-31T23:59', 'minute', 1)).toBe('9999-12-31T23:59');
  });

  it('by the part in which the caret stands, which is selected then', () => {
    const wall = '2026-03-04T05:06';
    expect(stepped(wall, 0, 1)).toEqual({ wall: '2027-03-04T05:06', from: 0, to: 4 });
    expect(stepped(wall, 6, -1)).toEqual({ wall: '2026-02-04T05:06', from: 5, to: 7 });
    expect(stepped(wall, 10, 1)).toEqual({ wall: '2026-03-05T05:06', from: 8, to: 10 });
    expect(stepped(wall, 16, -1)).toEqual({ wall: '2026-03-04T05:05', from: 14, to: 16 });
    expect(stepped('05:06', 1, 1)).toEqual({ wall: '06:06', from: 0, to: 2 });
  });
});

it('a month is shown in six weeks from Monday', () => {
  const weeks = weeksOf('2026-03-04');
  expect(weeks.map((week) => week[0])).toEqual([
    '2026-02-23',
    '2026-03-02',
    '2026-03-09',
    '2026-03-16',
    '2026-03-23',
    '2026-03-30',
  ]);
  expect(weeks.flat()).toHaveLength(42);
});

import { describe, expect, it } from 'vitest';
import { bytes, count, duration, percent, rate, time } from './figures';
import { local } from './storage';
import { storeKeys } from './store-keys';

describe('counts', () => {
  it('are full with separators below ten million and short from there', () => {
    local.set(storeKeys.locale, 'en');
    expect(count(0)).toBe('0');
    expect(count(1_234_567)).toBe('1,234,567');
    expect(count(9_999_999)).toBe('9,999,999');
    expect(count(12_340_000)).toBe('12.34M');
    local.set(storeKeys.locale, 'zh');
    expect(count(12_340_000)).toBe('1234万');
  });

  it('that are not known are a dash, not a zero', () => {
    expect([count(undefined), rate(null), bytes(undefined), duration(null), time('')]).toEqual([
      '–',
      '–',
      '–',
      '–',
      '–',
    ]);
  });
});

it('rates show one decimal only where it matters', () => {
  expect([rate(0), rate(0.42), rate(9.96), rate(1234.4)]).toEqual(['0/s', '0.4/s', '10.0/s', '1,234/s']);
});

it('bytes are binary', () => {
  expect([bytes(1023), bytes(1024), bytes(1_572_864), bytes(200 * 1024)]).toEqual([
    '1023 B',
    '1.0 KiB',
    '1.5 MiB',
    '200 KiB',
  ]);
});

it('durations have at most two units, in the words of the language', () => {
  local.set(storeKeys.locale, 'zh');
  expect([240, 2400, 192_000, 255_600_000].map(duration)).toEqual([
    '240 ms',
    '2.4 秒',
    '3 分钟 12 秒',
    '2 天 23 小时',
  ]);
  local.set(storeKeys.locale, 'en');
  expect([0, 240, 2400, 59_900, 192_000, 3_600_000, 90_061_000].map(duration)).toEqual([
    '0 ms',
    '240 ms',
    '2.4 s',
    '1 m',
    '3 m 12 s',
    '1 h',
    '1 d 1 h',
  ]);
});

it('percent reaches its ends only when the work has', () => {
  expect([percent(0, 10), percent(1, 100_000), percent(999_999, 1_000_000), percent(10, 10)]).toEqual([
    '0.0%',
    '<0.1%',
    '99.9%',
    '100%',
  ]);
  expect(percent(0, 0)).toBe('–');
});

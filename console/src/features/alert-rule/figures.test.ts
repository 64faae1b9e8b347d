import { expect, test } from 'vitest';
import { entered, shown, stored, unitOf } from './figures';

test('limits are entered in seconds and MiB, and stored in the unit of the metric', () => {
  expect(stored(5, 'ms')).toBe(5000);
  expect(entered(3 * 1024 * 1024, 'bytes')).toBe(3);
  expect(unitOf({ unit: 'rows', type: 'counter' })).toBe('/s');
});

test('figures are shown with their unit', () => {
  expect(shown(5000, { unit: 'ms', type: 'gauge' })).toBe('5 s');
  expect(shown(12, { unit: 'rows', type: 'counter' })).toBe('12/s');
  expect(shown(2048 * 1024 * 1024, { unit: 'bytes', type: 'counter' })).toBe('2,048 MiB/s');
  expect(shown(7, { unit: 'count', type: 'gauge' })).toBe('7');
});

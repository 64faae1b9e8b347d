import { expect, it } from 'vitest';
import { registrationTag, usageLook } from './registration';

const now = Date.parse('2026-01-01T00:00:00Z');
const inDays = (days: number) => new Date(now + days * 24 * 60 * 60 * 1000).toISOString();

it.each([
  [2, null, 'unregistered', 'bad'],
  [1, inDays(31), 'days', 'good'],
  [6, inDays(30), 'aboutToExpire', 'warning'],
  [6, inDays(0), 'aboutToExpire', 'warning'],
  [3, inDays(-1), 'expired', 'bad'],
])('status %i until %s: %s', (status, endTime, text, look) => {
  expect(registrationTag({ status, endTime }, now)).toMatchObject({ text, look });
});

it.each([
  [0, 'good'],
  [80, 'good'],
  [81, 'warning'],
  [90, 'warning'],
  [99, 'warning'],
  [100, 'bad'],
])('%i percent used: %s', (percent, look) => expect(usageLook(percent)).toBe(look));

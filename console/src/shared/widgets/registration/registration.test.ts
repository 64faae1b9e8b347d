import { expect, it } from 'vitest';
import { registrationTag, usageLook } from './registration';

const now = Date.parse('2026-01-01T00:00:00Z');
const inDays = (days: number) => new Date(now + days * 24 * 60 * 60 * 1000).toISOString();

it.each([
  [1, 'community', null, 'community', 'good'],
  [2, null, null, 'unregistered', 'bad'],
  [1, 'licensed', inDays(31), 'days', 'good'],
  [6, 'licensed', inDays(30), 'aboutToExpire', 'warning'],
  [6, 'licensed', inDays(0), 'aboutToExpire', 'warning'],
  [3, 'licensed', inDays(-1), 'expired', 'bad'],
] as const)('status %i, %s until %s: %s', (status, edition, endTime, text, look) => {
  expect(registrationTag({ status, edition, endTime }, now)).toMatchObject({ text, look });
});

it.each([
  [0, 'good'],
  [80, 'good'],
  [81, 'warning'],
  [90, 'warning'],
  [99, 'warning'],
  [100, 'bad'],
])('%i percent used: %s', (percent, look) => expect(usageLook(percent)).toBe(look));

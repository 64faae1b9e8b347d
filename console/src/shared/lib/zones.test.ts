import { expect, it } from 'vitest';
import { momentIn, timeIn, wallTime, zoneNames } from './zones';

it.each([
  ['Asia/Shanghai', '2026-02-01T08:30', '2026-02-01T00:30:00.000Z'],
  ['Europe/Berlin', '2026-07-01T00:15', '2026-06-30T22:15:00.000Z'],
  ['America/New_York', '2026-11-01T12:00', '2026-11-01T17:00:00.000Z'],
  ['Asia/Kathmandu', '2026-01-01T00:00', '2025-12-31T18:15:00.000Z'],
  ['UTC', '2026-01-01T00:00', '2026-01-01T00:00:00.000Z'],
])('%s shows %s at one moment, and the other way round', (zone, wall, moment) => {
  expect(momentIn(zone, wall).toISOString()).toBe(moment);
  expect(wallTime(moment, zone)).toBe(wall);
});

it('is right on both sides of a change of the clock', () => {
  expect(momentIn('Europe/Berlin', '2026-03-29T01:30').toISOString()).toBe('2026-03-29T00:30:00.000Z');
  expect(momentIn('Europe/Berlin', '2026-03-29T03:30').toISOString()).toBe('2026-03-29T01:30:00.000Z');
  expect(timeIn('Europe/Berlin', '2026-03-29T00:30:00Z')).toBe('2026-03-29 01:30 GMT+1');
  expect(timeIn('Europe/Berlin', '2026-03-29T01:30:00Z')).toBe('2026-03-29 03:30 GMT+2');
});

it('offers UTC and the zones that plans are made in', () => {
  expect(zoneNames()[0]).toBe('UTC');
  expect(zoneNames()).toEqual(expect.arrayContaining(['Asia/Shanghai', 'Europe/Berlin']));
});

import { expect, it } from 'vitest';
import { hasAnyRole } from './use-has-role';

const user = { roleCodes: ['engineer', 'night-shift'] };

it.each([
  [['engineer'], true],
  [['super-admin', 'night-shift'], true],
  [['super-admin', 'administrator'], false],
  [['engin'], false],
  [[], false],
])('a user who is engineer and of the night shift has one of %j: %j', (codes, expected) => {
  expect(hasAnyRole(user, codes)).toBe(expected);
});

it('who is not signed in, or has no role, has none of any list', () => {
  expect(hasAnyRole(undefined, ['engineer'])).toBe(false);
  expect(hasAnyRole({ roleCodes: [] }, ['engineer'])).toBe(false);
  expect(hasAnyRole({}, ['engineer'])).toBe(false);
});

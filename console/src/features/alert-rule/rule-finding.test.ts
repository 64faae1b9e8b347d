import { expect, test } from 'vitest';
import type { RuleRecord } from '@/shared/api';
import { findingOf } from './rule-finding';

const fine = {
  enabled: true,
  subjects: 3,
  pending: 0,
  firing: 0,
  missing: 0,
  missingFiring: 0,
  stale: false,
} as RuleRecord;

test('a rule is fine only where every subject was measured, and just now', () => {
  expect(findingOf(fine)).toBe('fine');
  expect(findingOf({ ...fine, stale: true })).toBe('unknown');
  expect(findingOf({ ...fine, subjects: null })).toBe('unknown');
  expect(findingOf({ ...fine, missing: 1 })).toBe('missing');
  expect(findingOf({ ...fine, subjects: 0 })).toBe('empty');
  expect(findingOf({ ...fine, missing: 1, missingFiring: 1 })).toBe('firing');
  expect(findingOf({ ...fine, firing: 1, stale: true })).toBe('firing');
  expect(findingOf({ ...fine, pending: 2 })).toBe('pending');
  expect(findingOf({ ...fine, enabled: false })).toBe('off');
});

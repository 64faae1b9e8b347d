import { expect, it } from 'vitest';
import english from '@/shared/i18n/locales/en/common.json';
import { isKnownState, lookOf, lookOfState } from './states';

it('every state has a word', () => {
  for (const state of Object.keys(lookOfState)) expect(english.state).toHaveProperty(state);
});

it('a state that the console does not know is quiet, not wrong', () => {
  expect(isKnownState('toString')).toBe(false);
  expect(lookOf('never-heard-of')).toBe('quiet');
});

it('errors are red and running is green', () => {
  expect(lookOf('incremental-error')).toBe('bad');
  expect(lookOf('incremental-running')).toBe('good');
});

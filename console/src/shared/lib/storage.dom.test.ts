import { expect, it } from 'vitest';
import { local } from './storage';

it('keeps values as JSON under a key', () => {
  local.set('shape', { open: true, of: [1, 'a', null] });
  expect(localStorage.getItem('shape')).toBe('{"open":true,"of":[1,"a",null]}');
  expect(local.get('shape')).toEqual({ open: true, of: [1, 'a', null] });
  local.remove('shape');
  expect(local.get('shape')).toBeUndefined();
});

it('takes what is not JSON for nothing', () => {
  localStorage.setItem('shape', '{');
  expect(local.get('shape')).toBeUndefined();
});

it('clears everything but the given keys', () => {
  local.set('locale', 'en');
  local.set('shape', 1);
  local.clear(['locale']);
  expect(local.get('locale')).toBe('en');
  expect(local.get('shape')).toBeUndefined();
});

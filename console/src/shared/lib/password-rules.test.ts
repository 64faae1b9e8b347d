import { expect, it } from 'vitest';
import { passwordFault } from './password-rules';

it.each([
  ['', 'empty'],
  ['Abc1234', 'length'],
  ['Abcdefgh123456789', 'length'],
  ['abcdefg1', 'weak'],
  ['ABCDEFG1', 'weak'],
  ['Abcdefgh', 'weak'],
  ['Abcdef12 ', 'weak'],
  ['Abcdef1é', 'weak'],
  ['Abcdef12', undefined],
  ['A1b!@#$%^&*,._zz', undefined],
])('%j is %s', (password, fault) => {
  expect(passwordFault(password)).toBe(fault);
});

it('a passphrase is good where the platform allows it', () => {
  expect(passwordFault('Correct.Horse.Battery.Staple.1', 128)).toBeUndefined();
});

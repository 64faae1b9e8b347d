import { expect, it } from 'vitest';
import { idFault, isEmail, isMobile } from './person-rules';

it.each([
  ['', 'empty'],
  ['1101051949123100', 'length'],
  ['11010519491231002', 'length'],
  ['110105491231002', undefined],
  ['110105194912310023', undefined],
  ['11010519491231002x', undefined],
  ['11010519491231002Y', 'invalid'],
  ['X10105491231002', 'invalid'],
])('an ID card number %s is %s', (number, fault) => {
  expect(idFault(number, '0')).toBe(fault);
});

it('an HR number only must not be empty', () => {
  expect(idFault('HR-7', '1')).toBeUndefined();
  expect(idFault('', '1')).toBe('empty');
});

it.each([
  ['13812345678', true],
  ['19912345678', true],
  ['1381234567', false],
  ['12812345678', false],
  ['14012345678', false],
  ['23812345678', false],
])('a phone number %s: %s', (phone, right) => {
  expect(isMobile(phone)).toBe(right);
});

it('an email address has a name, a place and a dot in it', () => {
  expect(isEmail('a@b.cn')).toBe(true);
  expect(isEmail('a@b')).toBe(false);
  expect(isEmail('a b@c.cn')).toBe(false);
});

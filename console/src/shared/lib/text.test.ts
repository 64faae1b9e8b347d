import { expect, it } from 'vitest';
import {
  ellipsis,
  isEmptyText,
  isExternalAddress,
  startsWithSymbol,
  stripChinese,
  stripWhitespace,
} from './text';

it.each(['', '   ', 'null', '[]', '{}', 'undefined', ' null ', null, undefined])(
  '%j says nothing',
  (value) => {
    expect(isEmptyText(value)).toBe(true);
  },
);

it.each(['0', 'false', '[1]', '{"a":1}', 'nullable', '[ ]'])('%j says something', (value) => {
  expect(isEmptyText(value)).toBe(false);
});

it.each([
  ['#a', true],
  [' a', true],
  ['-1', true],
  ['，号', true],
  ['_a', false],
  ['a#', false],
  ['1', false],
  ['表', false],
  ['é', false],
  ['', false],
])('%j begins with a symbol: %s', (text, expected) => {
  expect(startsWithSymbol(text)).toBe(expected);
});

it('takes Chinese characters out and leaves the rest', () => {
  expect(stripChinese('a张b三@例.com')).toBe('ab@.com');
  expect(stripChinese('𠮷+86')).toBe('+86');
});

it('takes white space out wherever it stands', () => {
  expect(stripWhitespace(' a\tb\n c ')).toBe('abc');
});

it.each([
  ['http://a', true],
  ['HTTPS://a', true],
  ['mailto:a@b', true],
  ['tel:110', true],
  ['/home', false],
  ['ftp://a', false],
  ['javascript:alert(1)', false],
  ['xhttp://a', false],
])('%j leads out of the console: %s', (text, expected) => {
  expect(isExternalAddress(text)).toBe(expected);
});

it('cuts behind 25 characters', () => {
  expect(ellipsis('a'.repeat(25))).toBe('a'.repeat(25));
  expect(ellipsis('a'.repeat(26))).toBe(`${'a'.repeat(25)}…`);
  expect(ellipsis('客户订单', 2)).toBe('客户…');
});

it('never cuts a character in two', () => {
  expect(ellipsis('👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧', 2)).toBe('👨‍👩‍👧👨‍👩‍👧…');
  expect(ellipsis('👨‍👩‍👧', 1)).toBe('👨‍👩‍👧');
});

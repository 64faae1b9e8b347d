import { expect, it } from 'vitest';
import { isPlainName } from './name-rules';

it.each(['orders', '订单 主控', 'a-b.c', ''])('%j is a plain name', (name) => {
  expect(isPlainName(name)).toBe(true);
});

it.each([' orders', 'orders ', '\tx', 'a\u0000b', 'a\u200bb', 'a\nb'])('%j is none', (name) => {
  expect(isPlainName(name)).toBe(false);
});

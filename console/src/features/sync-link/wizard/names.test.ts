import { expect, it } from 'vitest';
import { isPlain, plainRule, ruled } from './names';

it('replaces, then changes the case, then puts something at both ends', () => {
  expect(isPlain(plainRule)).toBe(true);
  expect(ruled('Orders', plainRule)).toBe('Orders');
  const rule = { from: 't_*', to: '*', letterCase: 'upper', prefix: 'ods_', suffix: '_cn' } as const;
  expect(ruled('t_orders', rule)).toBe('ods_ORDERS_cn');
  expect(ruled('orders', rule)).toBe('ods_ORDERS_cn');
  expect(ruled('a.b', { ...plainRule, from: 'a*b', to: '<*>' })).toBe('<.>');
  expect(ruled('a(b', { ...plainRule, from: 'a(b', to: 'c' })).toBe('c');
});

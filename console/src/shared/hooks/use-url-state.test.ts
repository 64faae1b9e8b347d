import { expect, it } from 'vitest';
import { readUrlState, writeUrlState } from './use-url-state';

const defaults = { text: '', current: 1, open: false };

it('reads what the address says, with the types of the defaults', () => {
  expect(readUrlState(new URLSearchParams('text=7&current=3&open=true&other=1'), defaults)).toEqual({
    text: '7',
    current: 3,
    open: true,
  });
});

it('falls back where the address is silent or wrong', () => {
  expect(readUrlState(new URLSearchParams('current=x'), defaults)).toEqual(defaults);
});

it('leaves defaults out of the address and other parameters alone', () => {
  const next = writeUrlState(new URLSearchParams('current=3&other=1'), defaults, { current: 1, text: 'a' });
  expect(next.toString()).toBe('other=1&text=a');
});

it('keeps two lists of one page apart by a prefix', () => {
  const next = writeUrlState(new URLSearchParams('current=3'), defaults, { current: 2 }, 'log-');
  expect(next.toString()).toBe('current=3&log-current=2');
  expect(readUrlState(next, defaults, 'log-').current).toBe(2);
});
